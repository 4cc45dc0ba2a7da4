//! Runs agents' code in processes that can be killed and that can reach nothing but their caller.
//!
//! It must not know what the code calls: calls go out through the port, answers come back.
