//! Secrets, and how they are kept out of everything that leaves the process.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

/// A value that cannot be printed by accident.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// The value itself: for the `Authorization` header and the environment of `gh`, nothing else.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[redacted]")
    }
}

/// Replaces secrets in text: the ones it was told, and whatever has the shape of a GitHub token.
/// Clones share what is learnt later.
#[derive(Clone, Debug, Default)]
pub struct Redactor {
    known: Vec<Secret>,
    learnt: Arc<OnceLock<Secret>>,
}

const MASK: &str = "[redacted]";

/// Prefixes of GitHub's tokens and how many word characters must follow to count as one.
const SHAPES: [(&str, usize); 6] = [
    ("github_pat_", 20),
    ("ghp_", 20),
    ("gho_", 20),
    ("ghu_", 20),
    ("ghs_", 20),
    ("ghr_", 20),
];

/// Shorter values would redact ordinary words.
const SHORTEST_KNOWN: usize = 6;

/// What stands where a long text was cut. A secret may have been cut with it.
const CUT: char = '…';

/// How much of a cut secret gives it away.
const SHORTEST_CUT: usize = 4;

impl Redactor {
    pub fn new(known: impl IntoIterator<Item = Secret>) -> Self {
        let mut known: Vec<_> = known
            .into_iter()
            .filter(|secret| secret.0.len() >= SHORTEST_KNOWN)
            .collect();
        // Longest first: a secret that contains another is masked whole.
        known.sort_by_key(|secret| std::cmp::Reverse(secret.0.len()));
        Self {
            known,
            learnt: Arc::default(),
        }
    }

    /// A secret that was found while running, such as the login that `gh` keeps. The first counts.
    pub fn learn(&self, secret: &Secret) {
        if secret.0.len() >= SHORTEST_KNOWN {
            self.learnt.get_or_init(|| secret.clone());
        }
    }

    pub fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut text = Cow::Borrowed(text);
        for secret in self.known.iter().chain(self.learnt.get()) {
            if text.contains(&secret.0) {
                text = Cow::Owned(text.replace(&secret.0, MASK));
            }
            if let Some(masked) = mask_cuts(&text, &secret.0) {
                text = Cow::Owned(masked);
            }
        }
        match mask_shapes(&text) {
            Some(masked) => Cow::Owned(masked),
            None => text,
        }
    }

    /// Redacts every string of a value, keys included, in place.
    pub fn value(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Cow::Owned(masked) = self.text(text) {
                    *text = masked;
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.value(item)),
            Value::Object(fields) => {
                if fields
                    .keys()
                    .any(|key| matches!(self.text(key), Cow::Owned(_)))
                {
                    *fields = std::mem::take(fields)
                        .into_iter()
                        .map(|(key, value)| (self.text(&key).into_owned(), value))
                        .collect();
                }
                fields.values_mut().for_each(|field| self.value(field));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

/// Masks the beginning of a secret where the text was cut in the middle of it.
fn mask_cuts(text: &str, secret: &str) -> Option<String> {
    let begins = |before: &str| {
        let lengths = (SHORTEST_CUT..secret.len()).rev();
        lengths
            .filter_map(|length| secret.get(..length))
            .find(|start| before.ends_with(start))
            .map(str::len)
    };
    let (at, length) = text
        .match_indices(CUT)
        .find_map(|(at, _)| Some((at, begins(&text[..at])?)))?;
    let masked = format!("{}{MASK}{}", &text[..at - length], &text[at..]);
    Some(mask_cuts(&masked, secret).unwrap_or(masked))
}

fn mask_shapes(text: &str) -> Option<String> {
    let mut masked = String::new();
    let mut kept = 0;
    let mut from = 0;
    while let Some((start, end)) = next_shape(text, from) {
        masked.push_str(&text[kept..start]);
        masked.push_str(MASK);
        kept = end;
        from = end;
    }
    if kept == 0 {
        return None;
    }
    masked.push_str(&text[kept..]);
    Some(masked)
}

fn next_shape(text: &str, from: usize) -> Option<(usize, usize)> {
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let mut best: Option<(usize, usize)> = None;
    for (prefix, least) in SHAPES {
        let found = text[from..].match_indices(prefix).find_map(|(at, _)| {
            let start = from + at;
            let tail = start + prefix.len();
            let length = text.as_bytes()[tail..]
                .iter()
                .take_while(|b| is_word(b))
                .count();
            let cut = length > 0 && text[tail + length..].starts_with(CUT);
            (length >= least || cut).then_some((start, tail + length))
        });
        if let Some(found) = found
            && best.is_none_or(|best| found.0 < best.0)
        {
            best = Some(found);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn known_values_and_token_shapes_are_masked() {
        let redactor = Redactor::new([Secret::new("hunter2-hunter2")]);
        let shaped = format!("ghp_{}", "a1".repeat(18));
        assert_eq!(
            redactor.text(&format!("x hunter2-hunter2 y {shaped} z")),
            "x [redacted] y [redacted] z"
        );
        assert!(matches!(
            redactor.text("ghp_short and plain"),
            Cow::Borrowed(_)
        ));
    }

    #[test]
    fn values_are_masked_in_keys_and_strings() {
        let redactor = Redactor::new([Secret::new("sesame-open")]);
        let mut value = json!({"a": ["sesame-open"], "sesame-open": {"b": "say sesame-open!"}});
        redactor.value(&mut value);
        assert_eq!(
            value,
            json!({"a": ["[redacted]"], "[redacted]": {"b": "say [redacted]!"}})
        );
    }

    #[test]
    fn what_a_cut_left_of_a_secret_is_masked() {
        let redactor = Redactor::new([Secret::new("hunter2-hunter2")]);
        assert_eq!(
            redactor.text("a hunter2-h… b hunt…"),
            "a [redacted]… b [redacted]…"
        );
        assert_eq!(redactor.text("a ghp_abc… b"), "a [redacted]… b");
        assert!(matches!(redactor.text("a hunt b h…"), Cow::Borrowed(_)));
    }

    #[test]
    fn what_is_learnt_later_is_masked_by_every_clone() {
        let redactor = Redactor::default();
        let clone = redactor.clone();
        redactor.learn(&Secret::new("0123456789abcdef"));
        assert_eq!(clone.text("x 0123456789abcdef"), "x [redacted]");
    }

    #[test]
    fn a_secret_cannot_be_printed() {
        assert_eq!(format!("{:?}", Secret::new("sesame")), "[redacted]");
    }
}
