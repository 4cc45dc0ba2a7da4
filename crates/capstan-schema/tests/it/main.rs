//! The laws of assignability, against an independent validator.
