//! What a run of code may use.

use std::time::Duration;

/// Each limit is one clean error when it is hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// From the start to the result, waiting for calls included.
    pub wall: Duration,
    /// Of the processor, waiting excluded.
    pub cpu: Duration,
    pub memory_bytes: u64,
    pub stack_bytes: u64,
    /// Of the result as JSON.
    pub output_bytes: u64,
    /// Of everything that `console` is given.
    pub console_bytes: u64,
    pub calls: u32,
}

impl Limits {
    /// The longest that a caller can ask for.
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
