//! What is remembered, in SQLite: capabilities made of code, their names and statistics, traces.
//!
//! Nobody else sees SQL. It must not know how anything is run.
