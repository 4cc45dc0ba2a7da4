//! GitHub's GraphQL schema, with the queries that the checks need.

use std::collections::BTreeSet;

use apollo_compiler::diagnostic::ToCliReport as _;
use apollo_compiler::schema::ExtendedType;
use apollo_compiler::validation::Valid;
use apollo_compiler::{ExecutableDocument, Schema};

use capstan_core::Span;

use crate::ty::{Kind, Texts};

/// A schema against which documents are checked: the pinned one, or one that the caller supplies.
#[derive(Debug)]
pub struct GithubSchema {
    schema: Valid<Schema>,
}

/// A problem in a document, with its span in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentProblem {
    pub message: String,
    pub span: Option<Span>,
}

impl GithubSchema {
    /// Parses the texts in order. A later text may extend the definitions of an earlier one.
    pub fn parse(texts: &[(&str, &str)]) -> Result<Self, String> {
        let mut builder = Schema::builder();
        for (name, text) in texts {
            builder = builder.parse(*text, *name);
        }
        let schema = builder
            .build()
            .and_then(Schema::validate)
            .map_err(|failed| failed.errors.to_string())?;
        Ok(Self { schema })
    }

    /// Returns all problems in the operations and fragments of a text.
    pub fn problems(&self, text: &str) -> Vec<DocumentProblem> {
        self.document(text).err().unwrap_or_default()
    }

    /// Returns the document with types, or its problems.
    pub(crate) fn document(
        &self,
        text: &str,
    ) -> Result<Valid<ExecutableDocument>, Vec<DocumentProblem>> {
        ExecutableDocument::parse_and_validate(&self.schema, text, "document").map_err(|failed| {
            let problems = failed.errors.iter().map(|diagnostic| DocumentProblem {
                message: diagnostic.error.to_string(),
                span: diagnostic.error.location().map(|at| Span {
                    start: at.offset(),
                    end: at.end_offset(),
                }),
            });
            without_consequences(problems.collect())
        })
    }

    pub(crate) fn get(&self, name: &str) -> Option<&ExtendedType> {
        self.schema.types.get(name)
    }

    /// Returns the object types that a value of this type can have.
    pub(crate) fn concrete(&self, name: &str) -> BTreeSet<String> {
        match self.get(name) {
            Some(ExtendedType::Interface(_) | ExtendedType::Union(_)) => {
                let types = self.schema.types.values();
                types
                    .filter(|ty| ty.is_object() && self.schema.is_subtype(name, ty.name()))
                    .map(|ty| ty.name().to_string())
                    .collect()
            }
            _ => BTreeSet::from([name.to_owned()]),
        }
    }

    /// Returns the kind of a leaf type's JSON values.
    pub(crate) fn leaf(&self, name: &str) -> Kind {
        match (name, self.get(name)) {
            ("Int", _) => Kind::Integer,
            ("Float", _) => Kind::Number,
            ("Boolean", _) => Kind::Boolean,
            // This is GitHub's only scalar that is not always a text.
            ("CustomPropertyValue", _) => Kind::Any,
            (_, Some(ExtendedType::Enum(definition))) => Kind::Text(Texts::These(
                definition.values.keys().map(ToString::to_string).collect(),
            )),
            (_, Some(ExtendedType::Scalar(_))) => Kind::Text(Texts::All),
            _ => Kind::Any,
        }
    }
}

/// Removes follow-up problems: a field that does not exist leaves its parent without a selection.
fn without_consequences(mut problems: Vec<DocumentProblem>) -> Vec<DocumentProblem> {
    let is_consequence = |problem: &DocumentProblem| {
        let words = "must have a subselection set";
        problem.message.ends_with(words)
    };
    if !problems.iter().all(is_consequence) {
        problems.retain(|problem| !is_consequence(problem));
    }
    problems
}
