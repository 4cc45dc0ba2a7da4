//! A parsed document: its operations and fragments by name.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use apollo_compiler::ast::{
    self, Definition, FragmentDefinition, OperationDefinition, OperationType,
};
use apollo_compiler::diagnostic::ToCliReport as _;
use apollo_compiler::{Name, Node};

use crate::error::{DocumentError, MergeError};
use crate::part::OperationKind;

/// A parsed document.
#[derive(Debug)]
pub(crate) struct Document {
    operations: Vec<Node<OperationDefinition>>,
    fragments: HashMap<Name, Node<FragmentDefinition>>,
}

impl Document {
    pub(crate) fn parse(text: &str) -> Result<Self, DocumentError> {
        let parsed = ast::Document::parse(text, "document.graphql").map_err(|failed| {
            let first = failed.errors.iter().next();
            let message = first
                .as_ref()
                .map(|diagnostic| diagnostic.error.to_string());
            DocumentError {
                message: message.unwrap_or_else(|| "it cannot be parsed".to_owned()),
                offset: first.and_then(|diagnostic| Some(diagnostic.error.location()?.offset())),
            }
        })?;
        let mut operations = Vec::new();
        let mut fragments = HashMap::new();
        for definition in parsed.definitions {
            match definition {
                Definition::OperationDefinition(operation) => operations.push(operation),
                Definition::FragmentDefinition(fragment) => {
                    match fragments.entry(fragment.name.clone()) {
                        Entry::Vacant(entry) => {
                            entry.insert(fragment);
                        }
                        Entry::Occupied(entry) => {
                            return Err(DocumentError {
                                message: format!("there is another fragment `{}`", entry.key()),
                                offset: fragment.location().map(|at| at.offset()),
                            });
                        }
                    }
                }
                other => {
                    return Err(DocumentError {
                        message: "only operations and fragments can be sent".to_owned(),
                        offset: other.location().map(|at| at.offset()),
                    });
                }
            }
        }
        Ok(Self {
            operations,
            fragments,
        })
    }

    /// Parses like [`Document::parse`], for a part of a batch.
    pub(crate) fn parse_part(text: &str, part: usize) -> Result<Self, MergeError> {
        Self::parse(text)
            .map_err(|DocumentError { message, .. }| MergeError::Syntax { part, message })
    }

    pub(crate) fn operations(&self) -> &[Node<OperationDefinition>] {
        &self.operations
    }

    /// Returns the operation of this name, or the only one if there is no name.
    pub(crate) fn operation(
        &self,
        name: Option<&str>,
        part: usize,
    ) -> Result<&OperationDefinition, MergeError> {
        let Some(name) = name else {
            return match self.operations.as_slice() {
                [only] => Ok(only),
                [] => Err(MergeError::NoOperation { part }),
                several => Err(MergeError::SeveralOperations {
                    part,
                    count: several.len(),
                }),
            };
        };
        let of_name = |operation: &&Node<OperationDefinition>| {
            operation.name.as_ref().is_some_and(|known| known == name)
        };
        let found = self.operations.iter().find(of_name);
        found
            .map(|operation| &**operation)
            .ok_or_else(|| MergeError::NoSuchOperation {
                part,
                name: name.to_owned(),
            })
    }

    pub(crate) fn fragment(
        &self,
        name: &Name,
        part: usize,
    ) -> Result<&Node<FragmentDefinition>, MergeError> {
        let found = self.fragments.get(name);
        found.ok_or_else(|| MergeError::UnknownFragment {
            part,
            name: name.to_string(),
        })
    }
}

/// Returns the kind of an operation.
pub(crate) fn kind(
    operation: &OperationDefinition,
    part: usize,
) -> Result<OperationKind, MergeError> {
    match operation.operation_type {
        OperationType::Query => Ok(OperationKind::Query),
        OperationType::Mutation => Ok(OperationKind::Mutation),
        OperationType::Subscription => Err(MergeError::Subscription { part }),
    }
}
