//! An operation as text with holes that can be filled in for any number of parts.

use std::collections::BTreeMap;

use apollo_compiler::Name;
use apollo_compiler::ast::{FragmentDefinition, OperationDefinition};
use indexmap::IndexSet;

use crate::document::{self, Document};
use crate::error::MergeError;
use crate::fragments::reachable;
use crate::part::OperationKind;
use crate::template::Template;
use crate::writer::{Level, Writer};

/// An operation with its fragments.
#[derive(Debug)]
pub(crate) struct Operation {
    pub(crate) kind: OperationKind,
    /// The response keys at the root, each once.
    pub(crate) keys: Vec<String>,
    pub(crate) variables: Vec<Variable>,
    /// The text between the operation's braces.
    pub(crate) selections: Template,
    /// The fragments, by the index that holes use.
    pub(crate) fragments: Vec<Fragment>,
    /// The indexes of all fragments. Each comes after all fragments that it spreads.
    pub(crate) order: Vec<usize>,
}

#[derive(Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) definition: Template,
}

/// A fragment. If it is used both at the root and in a field, there are two: only at the root do
/// its fields get other keys.
#[derive(Debug)]
pub(crate) struct Fragment {
    pub(crate) name: String,
    /// The text after the name in the definition.
    pub(crate) body: Template,
}

impl Operation {
    pub(crate) fn new(
        document: &Document,
        name: Option<&str>,
        part: usize,
    ) -> Result<Self, MergeError> {
        Self::from_definition(document, document.operation(name, part)?, part)
    }

    pub(crate) fn from_definition(
        document: &Document,
        operation: &OperationDefinition,
        part: usize,
    ) -> Result<Self, MergeError> {
        let kind = document::kind(operation, part)?;
        if let Some(directive) = operation.directives.first() {
            return Err(MergeError::Directives {
                part,
                name: directive.name.to_string(),
            });
        }
        let reachable = reachable(document, operation, part)?;
        let mut scope = Scope::new(operation, part)?;

        let mut writer = Writer::new(&mut scope);
        writer.selections(&operation.selection_set, Level::Root)?;
        let selections = writer.finish();

        // Fragments that spread others come first here, so that all uses of a fragment are known
        // when it is written.
        let mut fragments = BTreeMap::new();
        let mut order = Vec::new();
        for fragment in reachable.iter().rev() {
            for level in [Level::Root, Level::Nested] {
                if let Some(index) = scope.fragments.get_index_of(&(&fragment.name, level)) {
                    fragments.insert(index, write_fragment(&mut scope, fragment, level)?);
                    order.push(index);
                }
            }
        }
        order.reverse();

        let mut variables = Vec::new();
        for (index, variable) in operation.variables.iter().enumerate() {
            if !scope.used[index] {
                return Err(MergeError::UnusedVariable {
                    part,
                    name: variable.name.to_string(),
                });
            }
            let mut writer = Writer::new(&mut scope);
            writer.variable(index, variable)?;
            variables.push(Variable {
                name: variable.name.to_string(),
                definition: writer.finish(),
            });
        }
        Ok(Self {
            kind,
            keys: scope.keys.into_iter().map(str::to_owned).collect(),
            variables,
            selections,
            fragments: fragments.into_values().collect(),
            order,
        })
    }
}

fn write_fragment<'d>(
    scope: &mut Scope<'d>,
    fragment: &'d FragmentDefinition,
    level: Level,
) -> Result<Fragment, MergeError> {
    let mut writer = Writer::new(scope);
    writer.text(" on ");
    writer.text(&fragment.type_condition);
    writer.directives(&fragment.directives)?;
    writer.text(" { ");
    writer.selections(&fragment.selection_set, level)?;
    writer.text(" }");
    Ok(Fragment {
        name: fragment.name.to_string(),
        body: writer.finish(),
    })
}

/// The names of an operation and its fragments, with the indexes that holes use.
#[derive(Debug)]
pub(crate) struct Scope<'d> {
    part: usize,
    keys: IndexSet<&'d str>,
    variables: IndexSet<&'d str>,
    /// Whether each variable is used.
    used: Vec<bool>,
    fragments: IndexSet<(&'d Name, Level)>,
}

impl<'d> Scope<'d> {
    fn new(operation: &'d OperationDefinition, part: usize) -> Result<Self, MergeError> {
        let mut variables = IndexSet::new();
        for variable in &operation.variables {
            if !variables.insert(variable.name.as_str()) {
                return Err(MergeError::DuplicateVariable {
                    part,
                    name: variable.name.to_string(),
                });
            }
        }
        Ok(Self {
            part,
            keys: IndexSet::new(),
            used: vec![false; variables.len()],
            variables,
            fragments: IndexSet::new(),
        })
    }

    /// Returns the index of a response key at the root.
    pub(crate) fn key(&mut self, key: &'d str) -> usize {
        self.keys.insert_full(key).0
    }

    pub(crate) fn variable(&mut self, name: &'d str) -> Result<usize, MergeError> {
        let Some(index) = self.variables.get_index_of(name) else {
            return Err(MergeError::UnknownVariable {
                part: self.part,
                name: name.to_owned(),
            });
        };
        self.used[index] = true;
        Ok(index)
    }

    pub(crate) fn fragment(&mut self, name: &'d Name, level: Level) -> usize {
        self.fragments.insert_full((name, level)).0
    }
}
