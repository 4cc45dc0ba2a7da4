//! Dates as they are kept.

use std::time::SystemTime;

use capstan_core::code::Timestamp;

/// Returns a date in milliseconds since 1970; 0 for what is earlier.
pub(crate) fn timestamp(date: SystemTime) -> Timestamp {
    let since = date.duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    })
}
