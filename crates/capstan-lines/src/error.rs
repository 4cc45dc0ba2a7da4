//! The errors of lines: in their words, and in what they say to a card.

use capstan_core::card::Card;

use crate::form::form;

/// The largest number of problems that are listed; nobody reads more.
const MOST_PROBLEMS: usize = 20;

/// The reason why a text is not a line at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    #[error(
        "the quote {quote} at line {line}, column {column} is not closed: end the value with \
         {quote}, or write the character itself as \\{quote}"
    )]
    Unclosed {
        quote: char,
        /// Starts at 1.
        line: usize,
        /// Starts at 1, in characters.
        column: usize,
    },
    #[error(
        "`{name}` cannot be the name of a line: expected letters, digits, `_` and `-`, with a letter first"
    )]
    Name { name: String },
    #[error("the line is empty: expected a capability and its inputs, such as `issue.view 43`")]
    Empty,
}

/// The problems of a line, with its correct form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}. Right: {form}")]
pub struct Correction {
    /// All problems, joined with `; `. Only the first ones if there are very many.
    pub problem: String,
    pub form: String,
}

impl Correction {
    pub(crate) fn new(card: &Card, problems: &[String]) -> Self {
        let mut problem = problems[..problems.len().min(MOST_PROBLEMS)].join("; ");
        if problems.len() > MOST_PROBLEMS {
            problem.push_str(&format!("; and {} more", problems.len() - MOST_PROBLEMS));
        }
        let form = form(card);
        Self { problem, form }
    }
}
