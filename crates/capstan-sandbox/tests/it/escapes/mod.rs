//! Attempts to get out of the sandbox, to outlast it, or to break it for those who come after.
//!
//! Each is data: a name, code, and how it has to end. After each, the same sandbox runs sane code.

mod attempt;
mod authority;
mod endless;
mod hostile_values;
mod large;
mod tampering;
mod threads;
