//! The status and the headers of an answer.

use std::time::{Duration, SystemTime};

use http::header::{DATE, RETRY_AFTER};
use http::{HeaderMap, StatusCode};

/// What comes before the body of an answer.
#[derive(Clone, Debug)]
pub struct Head {
    pub status: StatusCode,
    pub headers: HeaderMap,
}

impl Head {
    /// Returns a header without surrounding spaces; `None` if it is absent or not text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok().map(str::trim)
    }

    /// Returns how long the server asks to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        retry_after(&self.headers)
    }

    /// Returns when the server sent the answer, by its own clock.
    pub fn date(&self) -> Option<SystemTime> {
        date(&self.headers)
    }
}

/// Reads `Retry-After`: a number of seconds, or a date. A date is measured against the `Date` of the answer, so that a
/// wrong local clock does no harm.
pub fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Some(wait) = seconds(value) {
        return Some(wait);
    }
    let at = httpdate::parse_http_date(value).ok()?;
    Some(at.duration_since(date(headers)?).unwrap_or_default())
}

/// Reads a number of seconds, which some servers send with decimals.
pub fn seconds(value: &str) -> Option<Duration> {
    if let Ok(whole) = value.parse() {
        return Some(Duration::from_secs(whole));
    }
    Duration::try_from_secs_f64(value.parse().ok()?).ok()
}

fn date(headers: &HeaderMap) -> Option<SystemTime> {
    let value = headers.get(DATE)?.to_str().ok()?;
    httpdate::parse_http_date(value.trim()).ok()
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[track_caller]
    fn check(value: &'static str, expected: Option<u64>) {
        let headers = HeaderMap::from_iter([
            (RETRY_AFTER, HeaderValue::from_static(value)),
            (
                DATE,
                HeaderValue::from_static("Sun, 06 Nov 1994 08:49:37 GMT"),
            ),
        ]);
        let expected = expected.map(Duration::from_millis);
        assert_eq!(retry_after(&headers), expected, "{value}");
    }

    #[test]
    fn a_wait_is_a_number_or_a_date() {
        check("7", Some(7_000));
        check(" 0 ", Some(0));
        check("1.5", Some(1_500));
        check("Sun, 06 Nov 1994 08:50:37 GMT", Some(60_000));
        check("Sun, 06 Nov 1994 08:40:37 GMT", Some(0));
    }

    #[test]
    fn other_words_are_no_wait() {
        for value in ["", "soon", "-1", "nan", "inf", "1e300"] {
            check(value, None);
        }
        // Without the date of the answer, a date says nothing.
        let lonely = HeaderValue::from_static("Sun, 06 Nov 1994 08:50:37 GMT");
        assert_eq!(
            retry_after(&HeaderMap::from_iter([(RETRY_AFTER, lonely)])),
            None
        );
    }
}
