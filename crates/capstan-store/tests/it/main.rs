//! Tests of the store: what every store has to do (`contract`), and what SQLite adds to it.

mod contract;
mod sqlite;
