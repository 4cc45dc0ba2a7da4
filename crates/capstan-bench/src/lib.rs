//! Measures search and suggestion with data, so that they are believed for a reason.
