//! The examples that ship with the product run as they stand.
