//! Timestamps as people write them: UTC, to the minute.

use time::format_description::well_known::Rfc3339;
use time::{OffsetDateTime, UtcOffset};

/// `2026-05-20 16:52` for a text that is an RFC 3339 timestamp and nothing else.
pub(crate) fn minutes(text: &str) -> Option<String> {
    // Most texts are decided without parsing.
    if text.as_bytes().get(10) != Some(&b'T') {
        return None;
    }
    let at = OffsetDateTime::parse(text, &Rfc3339).ok()?;
    let at = at.checked_to_offset(UtcOffset::UTC)?;
    let (date, month) = (at.date(), u8::from(at.month()));
    if !(0..=9999).contains(&date.year()) {
        return None;
    }
    Some(format!(
        "{:04}-{month:02}-{:02} {:02}:{:02}",
        date.year(),
        date.day(),
        at.hour(),
        at.minute()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_are_utc_to_the_minute() {
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
    fn what_is_not_exactly_a_timestamp_is_left_alone() {
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
            assert_eq!(minutes(text), None, "{text}");
        }
    }
}
