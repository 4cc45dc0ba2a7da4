//! How much a run may take of everything that has no limit of its own.

/// The largest input of one call, as JSON, in bytes.
pub(crate) const LARGEST_INPUT: usize = 1 << 20;
/// The largest inputs of all calls that are not answered yet, in bytes.
pub(crate) const LARGEST_INPUTS: usize = 16 << 20;
/// How deeply a result may be nested.
pub(crate) const DEEPEST_RESULT: usize = 100;
/// A thread that runs the engine needs more stack than the code may use.
pub(crate) const THREAD_STACK: usize = 12 << 20;
/// The most that code can be given; the engine takes more than 16 MiB for no limit at all.
pub(crate) const LARGEST_STACK: u64 = 8 << 20;
