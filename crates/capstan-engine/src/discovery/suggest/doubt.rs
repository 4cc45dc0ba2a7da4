//! Reasons to review a plan before it is run.

use std::fmt;

/// A reason why a plan should be reviewed before it is run, even if its steps are right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    /// The intent has a condition, introduced by this word. A plan runs all steps regardless of their
    /// results.
    Condition(String),
    /// These clauses say what not to do.
    Negated(Vec<String>),
    /// This clause has no step.
    NotCovered(String),
    /// The intent is a question, but the plan writes.
    Question,
    /// No step covers these words.
    Unread(Vec<String>),
}

/// Maximum number of words that the message lists. It counts the others.
const MAX_NAMED_WORDS: usize = 8;

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Condition(word) => write!(
                f,
                "it runs all steps regardless of their results, but the intent says `{word}`"
            ),
            Self::Negated(words) => {
                let words: Vec<_> = words.iter().map(|it| format!("`{it}`")).collect();
                write!(
                    f,
                    "the intent says what not to do ({}), which steps cannot express: say only what \
                     to do, send the steps, or quote literal text",
                    words.join(", ")
                )
            }
            Self::NotCovered(clause) => write!(f, "it has no step for `{clause}`"),
            Self::Question => f.write_str("the intent is a question, but it writes"),
            Self::Unread(words) => {
                let named = words.iter().take(MAX_NAMED_WORDS);
                let named: Vec<_> = named.map(|it| format!("`{it}`")).collect();
                write!(f, "it does not cover {}", named.join(", "))?;
                match words.len().saturating_sub(MAX_NAMED_WORDS) {
                    0 => Ok(()),
                    more => write!(f, " and {more} more"),
                }
            }
        }
    }
}
