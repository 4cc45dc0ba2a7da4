//! Reads `execution`, `retry` and `timeout_ms`.

use std::time::Duration;

use capstan_catalog::yaml::{Node, Tree};
use capstan_core::ErrorCode;

use super::fields::{Fields, Notes, Owner, text};
use super::given;
use crate::codes::MALFORMED;
use crate::skill::{Backoff, Block, Retry, StepBlock};

/// Deeper nesting is reported as a mistake.
const DEEPEST: usize = 8;

pub(super) fn blocks(items: &[Node], notes: &mut Notes) -> Vec<Block> {
    nested(items, 0, notes)
}

fn nested(items: &[Node], depth: usize, notes: &mut Notes) -> Vec<Block> {
    let blocks = items.iter().filter_map(|item| block(item, depth, notes));
    blocks.collect()
}

fn block(node: &Node, depth: usize, notes: &mut Notes) -> Option<Block> {
    let expected = "expected `step: name` or `parallel: [ … ]`";
    let mut fields = Fields::from_map(Owner::Block, node, notes)?;
    if let Some(members) = fields.take("parallel") {
        let block = match &members.tree {
            _ if depth >= DEEPEST => {
                let message = format!("`parallel` is nested more than {DEEPEST} levels deep");
                notes.error(MALFORMED, members.span, message);
                None
            }
            Tree::List(items) => Some(Block::Parallel(nested(items, depth + 1, notes))),
            _ => {
                notes.expected("parallel", "a list of blocks", members);
                notes.help("put a `-` before each block");
                None
            }
        };
        if let Some(step) = fields.take("step") {
            let message = format!("this block has both `step` and `parallel`: {expected}");
            notes.error(MALFORMED, step.span, message);
        }
        fields.report_unknown(notes);
        return block;
    }
    let Some(step) = fields.take("step") else {
        for name in ["inputs", "condition", "retry", "timeout_ms"] {
            fields.take(name);
        }
        if !fields.has_unknown() {
            let message = format!("this block runs nothing: {expected}");
            notes.error(MALFORMED, node.span, message);
        }
        fields.report_unknown(notes);
        return None;
    };
    let step = text("step", step, notes);
    let inputs = given::all(fields.map("inputs", notes), notes);
    let condition = fields.take("condition");
    let condition = condition.and_then(|node| given::condition(node, notes));
    let retry = fields.take("retry").and_then(|node| retry(node, notes));
    let timeout = timeout(&mut fields, notes);
    fields.report_unknown(notes);
    Some(Block::Step(Box::new(StepBlock {
        step: step?,
        inputs,
        condition,
        retry,
        timeout,
    })))
}

/// Reads `timeout_ms`.
pub(super) fn timeout(fields: &mut Fields<'_>, notes: &mut Notes) -> Option<Duration> {
    let asked = fields.number("timeout_ms", notes)?;
    if asked.value == 0 || asked.value > LONGEST {
        let message = format!("`timeout_ms` is {}: expected 1 to {LONGEST}", asked.value);
        notes.error(MALFORMED, asked.span, message);
        return None;
    }
    Some(Duration::from_millis(asked.value))
}

/// The longest timeout in milliseconds: ten minutes, as everywhere.
const LONGEST: u64 = 600_000;

pub(super) fn retry(node: &Node, notes: &mut Notes) -> Option<Retry> {
    let mut fields = Fields::from_map(Owner::Retry, node, notes)?;
    let attempts = fields.number("max_attempts", notes);
    let max_attempts = match attempts {
        Some(it) if !(1..=MOST_ATTEMPTS).contains(&it.value) => {
            let message = format!(
                "`max_attempts` is {}: expected 1 to {MOST_ATTEMPTS}",
                it.value
            );
            notes.error(MALFORMED, it.span, message);
            1
        }
        Some(it) => u32::try_from(it.value).unwrap_or(1),
        None => 3,
    };
    let backoff = fields.text("backoff", notes).and_then(|written| {
        let known = Backoff::ALL
            .into_iter()
            .find(|it| it.as_str() == written.value);
        if known.is_none() {
            let message = format!(
                "`backoff` is `{}`: expected none, fixed, linear or exponential",
                written.value
            );
            notes.error(MALFORMED, written.span, message);
        }
        known
    });
    let delay = fields
        .number("delay_ms", notes)
        .map_or(DELAY, |it| it.value.min(LONGEST));
    let mut retry_on = Vec::new();
    for written in fields.list("retry_on", notes).unwrap_or_default() {
        match written.as_text().and_then(failures) {
            Some(codes) => retry_on.extend_from_slice(codes),
            None => {
                let shown = written.shown();
                let message = format!("{shown} is not a failure that can be retried");
                notes.error(MALFORMED, written.span, message);
                notes.help("expected NetworkError, RateLimitError, ServerError or TimeoutError");
            }
        }
    }
    if retry_on.is_empty() {
        retry_on.extend(RETRIED.iter().flat_map(|(_, codes)| codes.iter().copied()));
    }
    fields.report_unknown(notes);
    Some(Retry {
        max_attempts,
        backoff: backoff.unwrap_or(Backoff::Exponential),
        delay: Duration::from_millis(delay),
        retry_on,
    })
}

const MOST_ATTEMPTS: u64 = 10;
const DELAY: u64 = 500;

/// The names of failures in files, with the error codes that they stand for.
const RETRIED: [(&str, &[ErrorCode]); 4] = [
    ("NetworkError", &[ErrorCode::Network]),
    ("RateLimitError", &[ErrorCode::RateLimit]),
    ("ServerError", &[ErrorCode::Server]),
    ("TimeoutError", &[ErrorCode::Timeout]),
];

fn failures(name: &str) -> Option<&'static [ErrorCode]> {
    let same = |known: &str| {
        let short = known.trim_end_matches("Error");
        let plain = |text: &str| text.replace(['_', '-'], "").to_lowercase();
        plain(name) == plain(known) || plain(name) == plain(short)
    };
    let found = RETRIED.iter().find(|(known, _)| same(known));
    found.map(|(_, codes)| *codes)
}

impl Backoff {
    const ALL: [Backoff; 4] = [
        Backoff::None,
        Backoff::Fixed,
        Backoff::Linear,
        Backoff::Exponential,
    ];

    fn as_str(self) -> &'static str {
        match self {
            Backoff::None => "none",
            Backoff::Fixed => "fixed",
            Backoff::Linear => "linear",
            Backoff::Exponential => "exponential",
        }
    }
}
