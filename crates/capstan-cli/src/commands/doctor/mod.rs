//! `capstan doctor`: checks what is ready. One file for each part that is checked. It prints no secrets, and sends
//! one request on each route unless `--offline` is set.

mod account;
mod advice;
mod code;
mod github;
mod report;
mod run;
mod search;
mod servers;
mod services;
mod token_owner;

pub(super) use run::run;
