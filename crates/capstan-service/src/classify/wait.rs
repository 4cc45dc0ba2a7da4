//! How long a service asks to wait. Dates are measured against the `Date` of the answer, so a wrong local clock does no
//! harm.

use std::time::{Duration, UNIX_EPOCH};

use capstan_core::ErrorCode;
use capstan_http::seconds;

use super::Head;

/// The longest wait that is accepted. A longer one is a mistake or an attack.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// Seconds above this are a date since 1970, and not a wait.
const EARLIEST_DATE: u64 = 1_000_000_000;

/// Headers that say when a spent budget is reset.
const RESETS: [&str; 3] = ["ratelimit-reset", "x-ratelimit-reset", "x-rate-limit-reset"];

/// Returns how long to wait before a retry; `None` if the service does not say.
pub(super) fn retry_after(code: ErrorCode, head: &Head) -> Option<Duration> {
    let reset = || {
        let values = RESETS.iter().filter_map(|name| head.header(name));
        values.filter_map(|value| reset(value, head)).next()
    };
    let limited = code == ErrorCode::RateLimit;
    let wait = head.retry_after().or_else(|| reset().filter(|_| limited));
    wait.map(|wait| wait.min(LONGEST))
}

/// Reads the time of a reset, which is a number of seconds or a date in seconds since 1970.
fn reset(value: &str, head: &Head) -> Option<Duration> {
    let wait = seconds(value)?;
    if wait.as_secs() < EARLIEST_DATE {
        return Some(wait);
    }
    let now = head.date()?.duration_since(UNIX_EPOCH).ok()?;
    Some(wait.saturating_sub(now))
}
