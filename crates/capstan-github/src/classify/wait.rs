//! How long GitHub asks to wait. Times are measured against the `Date` of the answer, so a wrong
//! local clock does no harm.

use std::time::{Duration, UNIX_EPOCH};

use capstan_core::ErrorCode;

use super::Head;

/// The wait that GitHub documents for a limit without a time.
const UNNAMED_LIMIT: Duration = Duration::from_secs(60);

/// The shortest wait for a reset. The clocks of GitHub's machines differ, so a reset that is due
/// may take a moment.
const SHORTEST_RESET: Duration = Duration::from_secs(1);

/// GitHub's wording for a budget that is used up.
const BUDGET_WORDS: [&str; 2] = ["api rate limit exceeded", "api rate limit already exceeded"];
/// GitHub's wording for requests that came too quickly.
const SECONDARY_WORDS: [&str; 3] = [
    "secondary rate limit",
    "submitted too quickly",
    "abuse detection",
];

/// The longest wait that is accepted. No limit of GitHub lasts longer; a longer one is a mistake or
/// an attack.
const LONGEST_WAIT: Duration = Duration::from_secs(24 * 60 * 60);

/// Returns how long to wait before a retry; `None` if GitHub asks for no wait.
pub(crate) fn retry_after(code: ErrorCode, head: &Head) -> Option<Duration> {
    requested_wait(code, head).map(|wait| wait.min(LONGEST_WAIT))
}

fn requested_wait(code: ErrorCode, head: &Head) -> Option<Duration> {
    if let Some(wait) = head.retry_after() {
        return Some(wait);
    }
    if code == ErrorCode::RateLimit && budget_is_spent(head) {
        return Some(until_reset(head).unwrap_or(UNNAMED_LIMIT));
    }
    without_headers(code)
}

/// Returns how long to wait after a failure without headers.
pub(super) fn without_headers(code: ErrorCode) -> Option<Duration> {
    (code == ErrorCode::RateLimit).then_some(UNNAMED_LIMIT)
}

/// Returns whether a limit applies to the whole login, as GitHub's secondary limits do. Only the
/// hourly budgets belong to one API. A limit of an unclear kind counts for the whole login.
pub(super) fn limits_login(code: ErrorCode, head: Option<&Head>, message: &str) -> bool {
    let has_words = |all: &[&str]| {
        let message = message.to_lowercase();
        all.iter().any(|words| message.contains(words))
    };
    let is_budget = head.is_some_and(budget_is_spent) || has_words(&BUDGET_WORDS);
    let has_retry_after = head.is_some_and(|head| head.header("retry-after").is_some());
    code == ErrorCode::RateLimit && (has_retry_after || !is_budget || has_words(&SECONDARY_WORDS))
}

pub(super) fn budget_is_spent(head: &Head) -> bool {
    head.header("x-ratelimit-remaining") == Some("0")
}

/// Returns the time until the budget is reset, from `X-RateLimit-Reset`.
fn until_reset(head: &Head) -> Option<Duration> {
    let reset = head.header("x-ratelimit-reset")?.parse().ok()?;
    let now = head.date()?.duration_since(UNIX_EPOCH).ok()?;
    Some(
        Duration::from_secs(reset)
            .saturating_sub(now)
            .max(SHORTEST_RESET),
    )
}
