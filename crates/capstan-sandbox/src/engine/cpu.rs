//! The CPU time of the thread.

use std::time::Duration;

/// Returns the CPU time since the thread began.
#[cfg(unix)]
pub(super) fn used() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let nanos = u32::try_from(time.tv_nsec).unwrap_or(0);
    Duration::new(seconds, nanos)
}

/// Returns the elapsed time where the CPU time is not available: never less than was used.
#[cfg(not(unix))]
pub(super) fn used() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}
