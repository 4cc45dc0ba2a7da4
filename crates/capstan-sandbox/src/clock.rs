//! The clock that a sandbox and its workers share, so that both agree on when a run ends, however
//! long a worker takes to start.

use std::time::Duration;

/// Returns the time since an unspecified start, which is the same in all processes of this machine.
#[cfg(unix)]
pub(crate) fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Returns the time of day, because no other shared clock is available. If that clock is set back
/// during a run, the sandbox's own timer still ends the run.
#[cfg(not(unix))]
#[expect(clippy::disallowed_methods, reason = "both sides need the same clock")]
pub(crate) fn now() -> Duration {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.unwrap_or_default()
}
