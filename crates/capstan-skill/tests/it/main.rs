//! Skills as people write them.
