//! Code on the command line: run, remembered, named, shown, traced.

mod cap;
mod doctor;
mod errors;
mod exec;
mod export;
mod files;
mod find;
mod hostile;
mod servers;
mod terminal;
mod trace;
mod workshop;
