//! Points in time and days as texts. They are read and written here only, and always in UTC.

use std::time::SystemTime;

use time::format_description::well_known::Rfc3339;
use time::macros::format_description;
use time::{OffsetDateTime, UtcOffset};

use crate::code::Timestamp;

/// A day of the calendar; its `Display` is `2027-01-31`.
pub use time::Date as Day;

/// Reads a day as people write it: `2027-01-31`.
pub fn parse_day(text: &str) -> Option<Day> {
    Day::parse(text, format_description!("[year]-[month]-[day]")).ok()
}

/// Returns the day that a clock shows, in UTC.
pub fn day_of(clock: SystemTime) -> Day {
    OffsetDateTime::from(clock).date()
}

/// Returns the time that a clock shows; 0 for a clock that is set before 1970.
pub fn timestamp_of(clock: SystemTime) -> Timestamp {
    let since = clock.duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| {
        Timestamp::try_from(since.as_millis()).unwrap_or(Timestamp::MAX)
    })
}

/// Returns `2026-11-16T08:40:12Z`, or the seconds since 1970 of a time outside of [`UtcTime`]'s years.
pub fn rfc3339(at: Timestamp) -> String {
    match UtcTime::from_timestamp(at) {
        Some(time) => time.to_rfc3339(),
        None => at.div_euclid(1000).to_string(),
    }
}

/// Returns `2026-11-16 08:40` for a text that is an RFC 3339 timestamp and nothing else.
pub fn minutes(text: &str) -> Option<String> {
    UtcTime::parse(text).map(UtcTime::to_minutes)
}

/// A point in time in the years 0 to 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UtcTime(OffsetDateTime);

impl UtcTime {
    /// Reads a text that is an RFC 3339 timestamp, such as GitHub writes, and nothing else.
    pub fn parse(text: &str) -> Option<Self> {
        // Most texts are refused without parsing.
        if text.as_bytes().get(10) != Some(&b'T') {
            return None;
        }
        Self::new(OffsetDateTime::parse(text, &Rfc3339).ok()?)
    }

    /// Returns nothing for a time outside of the years.
    pub fn from_timestamp(at: Timestamp) -> Option<Self> {
        let nanoseconds = i128::from(at) * 1_000_000;
        Self::new(OffsetDateTime::from_unix_timestamp_nanos(nanoseconds).ok()?)
    }

    /// Returns the whole seconds since an earlier time; they are negative if that is the later one.
    pub fn seconds_since(self, earlier: Self) -> i64 {
        (self.0 - earlier.0).whole_seconds()
    }

    /// Returns `2026-11-16T08:40:12Z`.
    pub fn to_rfc3339(self) -> String {
        format!("{}T{}Z", self.0.date(), self.clock())
    }

    /// Returns `2026-11-16 08:40:12`.
    pub fn to_seconds(self) -> String {
        format!("{} {}", self.0.date(), self.clock())
    }

    /// Returns `2026-11-16 08:40`.
    pub fn to_minutes(self) -> String {
        let (hour, minute, _) = self.0.to_hms();
        format!("{} {hour:02}:{minute:02}", self.0.date())
    }

    fn new(time: OffsetDateTime) -> Option<Self> {
        let utc = time.checked_to_offset(UtcOffset::UTC)?;
        (0..=9999).contains(&utc.year()).then_some(Self(utc))
    }

    fn clock(self) -> String {
        let (hour, minute, second) = self.0.to_hms();
        format!("{hour:02}:{minute:02}:{second:02}")
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;

    /// The first and the last second of [`UtcTime`]'s years.
    const FIRST: i64 = -62_167_219_200;
    const LAST: i64 = 253_402_300_799;

    #[test]
    fn timestamps_are_read_and_written_in_utc() {
        for (text, read) in [
            ("2026-05-20T16:52:07Z", "2026-05-20 16:52"),
            ("2026-05-20T16:52:07.123Z", "2026-05-20 16:52"),
            ("2026-05-20T01:30:00+02:00", "2026-05-19 23:30"),
            ("2026-12-31T23:30:00-01:00", "2027-01-01 00:30"),
        ] {
            assert_eq!(minutes(text).as_deref(), Some(read), "{text}");
        }
    }

    #[test]
    fn what_is_not_exactly_a_timestamp_is_refused() {
        for text in [
            "",
            "2026-05-20",
            "2026-05-20 16:52:07Z",
            "2026-05-20T16:52:07",
            "2026-13-20T16:52:07Z",
            "2026-05-20T16:52:07Z ",
            "since 2026-05-20T16:52:07Z",
            "0000-01-01T00:00:00+23:59",
            "v1.0-alphaT",
        ] {
            assert_eq!(UtcTime::parse(text), None, "{text}");
        }
    }

    #[test]
    fn milliseconds_are_cut_off() {
        assert_eq!(rfc3339(1_700_000_000_999), "2023-11-14T22:13:20Z");
        assert_eq!(rfc3339(-1), "1969-12-31T23:59:59Z");
        assert_eq!(
            UtcTime::from_timestamp(999).unwrap().to_seconds(),
            "1970-01-01 00:00:00"
        );
    }

    #[test]
    fn years_have_four_digits() {
        assert_eq!(rfc3339(FIRST * 1000), "0000-01-01T00:00:00Z");
        assert_eq!(rfc3339(LAST * 1000 + 999), "9999-12-31T23:59:59Z");
        assert_eq!(rfc3339(FIRST * 1000 - 1), (FIRST - 1).to_string());
        assert_eq!(rfc3339((LAST + 1) * 1000), (LAST + 1).to_string());
        assert_eq!(rfc3339(i64::MIN), i64::MIN.div_euclid(1000).to_string());
    }

    #[test]
    fn days_are_read_as_they_are_written() {
        let day = parse_day("2028-02-29").unwrap();
        assert_eq!(day.to_string(), "2028-02-29");
        for text in ["2027-02-29", "2027-2-1", "2027-02-01T00:00:00Z", "tomorrow"] {
            assert_eq!(parse_day(text), None, "{text}");
        }
    }

    #[test]
    fn clocks_are_read_in_utc() {
        let clock = SystemTime::UNIX_EPOCH + Duration::from_millis(86_400_001);
        assert_eq!(day_of(clock), parse_day("1970-01-02").unwrap());
        assert_eq!(timestamp_of(clock), 86_400_001);
        assert_eq!(
            timestamp_of(SystemTime::UNIX_EPOCH - Duration::from_secs(1)),
            0
        );
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(seconds in FIRST..=LAST, earlier in FIRST..=LAST) {
            let time = UtcTime::parse(&rfc3339(seconds * 1000)).unwrap();
            prop_assert_eq!(Some(time), UtcTime::from_timestamp(seconds * 1000));
            let earlier_time = UtcTime::from_timestamp(earlier * 1000).unwrap();
            prop_assert_eq!(time.seconds_since(earlier_time), seconds - earlier);
        }
    }
}
