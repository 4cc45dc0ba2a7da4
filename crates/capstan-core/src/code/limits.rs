//! The limits of a run of code.

use std::time::Duration;

/// The limits of a run. Each gives a clear error when it is exceeded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The time from the start to the result, including waiting for calls.
    pub wall: Duration,
    /// The processor time, without waiting.
    pub cpu: Duration,
    pub memory_bytes: u64,
    pub stack_bytes: u64,
    /// The size of the result as JSON.
    pub output_bytes: u64,
    /// The size of everything that is written to `console`.
    pub console_bytes: u64,
    pub calls: u32,
}

impl Limits {
    /// The longest time that a caller can ask for.
    pub const LONGEST_WALL: Duration = Duration::from_secs(600);
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            wall: Duration::from_secs(30),
            cpu: Duration::from_secs(10),
            memory_bytes: 64 << 20,
            stack_bytes: 512 << 10,
            output_bytes: 1 << 20,
            console_bytes: 64 << 10,
            calls: 1000,
        }
    }
}
