//! Bounds on what a run may use and that has no configurable limit.

/// The largest input of one call, as JSON, in bytes.
pub(crate) const MAX_INPUT_BYTES: usize = 1 << 20;
/// The largest total of the inputs of all unanswered calls, in bytes.
pub(crate) const MAX_PENDING_INPUT_BYTES: usize = 16 << 20;
/// The deepest nesting of a result.
pub(crate) const MAX_RESULT_DEPTH: usize = 100;
/// The stack of a thread that runs the engine, in bytes: more than the code may use.
pub(crate) const THREAD_STACK_BYTES: usize = 12 << 20;
/// The largest stack that code can get, in bytes. The engine treats more than 16 MiB as no limit at
/// all.
pub(crate) const MAX_STACK_BYTES: u64 = 8 << 20;
