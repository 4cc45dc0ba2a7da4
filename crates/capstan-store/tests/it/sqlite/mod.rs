//! What SQLite adds to the contract.

mod backends;

mod in_a_file {
    crate::contract::contract!(crate::sqlite::backends::file);
}

mod in_memory {
    crate::contract::contract!(crate::sqlite::backends::memory);
}
