//! What SQLite adds to the contract.

mod backends;
mod children;
mod damage;
mod graph;
mod group;
mod kill;
mod lazy;
mod migrations;
mod orphans;
mod processes;
mod removed;

mod in_a_file {
    crate::contract::contract!(crate::sqlite::backends::file);
}

mod in_memory {
    crate::contract::contract!(crate::sqlite::backends::memory);
}
