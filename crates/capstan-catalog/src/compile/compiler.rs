//! Compiles a card in one pass and reports every problem.

use capstan_core::card::{Card, Operation};

use crate::document::Documents;
use crate::raw::RawCard;

/// A problem at a place in the card.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Problem {
    /// A JSON pointer into the card.
    pub pointer: String,
    /// The byte offset inside the text at the pointer.
    pub offset: Option<usize>,
    pub message: String,
    pub help: Option<String>,
}

/// Compiles a card, or returns all its problems.
pub(crate) fn compile(raw: RawCard, documents: &Documents) -> Result<Card, Vec<Problem>> {
    let mut compiler = Compiler {
        documents,
        // If the operation is unknown, a problem is reported below and no card is built.
        operation: raw.operation.unwrap_or(Operation::Read),
        problems: Vec::new(),
    };
    if raw.operation.is_none() && raw.graphql.is_none() {
        compiler.problem_with_help(
            "/capability_id",
            "the card does not say whether it reads or writes",
            "add `operation: READ` or `operation: WRITE`",
        );
    }
    let card = compiler.card(raw);
    match card {
        Some(card) if compiler.problems.is_empty() => Ok(card),
        _ => Err(compiler.problems),
    }
}

/// The state of a compilation. Each part of a card is compiled in a file of its own.
pub(super) struct Compiler<'a> {
    pub(super) documents: &'a Documents,
    pub(super) operation: Operation,
    pub(super) problems: Vec<Problem>,
}

impl Compiler<'_> {
    pub(super) fn problem(&mut self, pointer: &str, message: impl Into<String>) {
        self.problems.push(Problem {
            pointer: pointer.to_owned(),
            offset: None,
            message: message.into(),
            help: None,
        });
    }

    pub(super) fn problem_with_help(
        &mut self,
        pointer: &str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.problem(pointer, message);
        if let Some(problem) = self.problems.last_mut() {
            problem.help = Some(help.into());
        }
    }
}
