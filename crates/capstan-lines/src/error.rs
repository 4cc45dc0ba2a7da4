//! What can be wrong with a line: with its words, and with what they say to a card.

use capstan_core::card::Card;

use crate::form::form;

/// How many problems are named; nobody reads more.
const MOST_PROBLEMS: usize = 20;

/// What keeps a text from being a line at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    #[error(
        "the quote {quote} at line {line}, column {column} is not closed: end the value with {quote}, or write a single one as \\{quote}"
    )]
    Unclosed {
        quote: char,
        /// From 1.
        line: usize,
        /// From 1, in characters.
        column: usize,
    },
    #[error(
        "`{name}` cannot be the name of a line: expected letters, digits, `_` and `-`, with a letter first"
    )]
    Name { name: String },
    #[error("the line is empty: expected a capability and its inputs, such as `issue.view 43`")]
    Empty,
}

/// What is wrong with a line, and its right form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}. Right: {form}")]
pub struct Correction {
    /// All problems, joined by `; `, but of very many only the first.
    pub problem: String,
    pub form: String,
}

impl Correction {
    pub(crate) fn of(card: &Card, problems: &[String]) -> Self {
        let mut problem = problems[..problems.len().min(MOST_PROBLEMS)].join("; ");
        if problems.len() > MOST_PROBLEMS {
            problem.push_str(&format!("; and {} more", problems.len() - MOST_PROBLEMS));
        }
        let form = form(card);
        Self { problem, form }
    }
}
