//! How long GitHub asks to wait. Times are measured against the answer's own `Date`, so a
//! wrong local clock does no harm.

use std::time::{Duration, UNIX_EPOCH};

use capstan_core::ErrorCode;

use super::Head;

/// What GitHub documents for a limit that names no time.
const UNNAMED_LIMIT: Duration = Duration::from_secs(60);

/// A reset that is due counts as due in a moment: the clocks of GitHub's machines differ.
const SHORTEST_RESET: Duration = Duration::from_secs(1);

/// GitHub's words for a budget that is used up, and for having been too quick.
const BUDGET_WORDS: [&str; 2] = ["api rate limit exceeded", "api rate limit already exceeded"];
const SECONDARY_WORDS: [&str; 3] = [
    "secondary rate limit",
    "submitted too quickly",
    "abuse detection",
];

/// No limit of GitHub lasts longer; what asks for more is a mistake, or means harm.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

pub(super) fn of(code: ErrorCode, head: &Head) -> Option<Duration> {
    named(code, head).map(|wait| wait.min(LONGEST))
}

fn named(code: ErrorCode, head: &Head) -> Option<Duration> {
    if let Some(asked) = asked(head) {
        return Some(asked);
    }
    if code == ErrorCode::RateLimit && budget_is_spent(head) {
        return Some(until_reset(head).unwrap_or(UNNAMED_LIMIT));
    }
    without_headers(code)
}

pub(super) fn without_headers(code: ErrorCode) -> Option<Duration> {
    (code == ErrorCode::RateLimit).then_some(UNNAMED_LIMIT)
}

/// Whether a limit is the login's as a whole, as GitHub's secondary limits are. Only the hourly
/// budgets are each API's own; whatever cannot be told apart counts for all.
pub(super) fn is_of_host(code: ErrorCode, head: Option<&Head>, said: &str) -> bool {
    let has_words = |all: &[&str]| {
        let said = said.to_lowercase();
        all.iter().any(|words| said.contains(words))
    };
    let is_budget = head.is_some_and(budget_is_spent) || has_words(&BUDGET_WORDS);
    let is_asked = head.is_some_and(|head| head.header("retry-after").is_some());
    code == ErrorCode::RateLimit && (is_asked || !is_budget || has_words(&SECONDARY_WORDS))
}

pub(super) fn budget_is_spent(head: &Head) -> bool {
    head.header("x-ratelimit-remaining") == Some("0")
}

/// `Retry-After`: seconds, or a date.
fn asked(head: &Head) -> Option<Duration> {
    let value = head.header("retry-after")?;
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let at = httpdate::parse_http_date(value).ok()?;
    let now = httpdate::parse_http_date(head.header("date")?).ok()?;
    Some(at.duration_since(now).unwrap_or_default())
}

fn until_reset(head: &Head) -> Option<Duration> {
    let reset = head.header("x-ratelimit-reset")?.parse().ok()?;
    let now = httpdate::parse_http_date(head.header("date")?).ok()?;
    let now = now.duration_since(UNIX_EPOCH).ok()?;
    Some(
        Duration::from_secs(reset)
            .saturating_sub(now)
            .max(SHORTEST_RESET),
    )
}
