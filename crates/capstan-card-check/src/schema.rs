//! GitHub's GraphQL schema, as the checks ask it.

use std::collections::BTreeSet;

use apollo_compiler::diagnostic::ToCliReport as _;
use apollo_compiler::schema::ExtendedType;
use apollo_compiler::validation::Valid;
use apollo_compiler::{ExecutableDocument, Schema};

use capstan_core::Span;

use crate::ty::{Kind, Texts};

/// A schema that documents are checked against: the pinned one, or one that the caller gives.
#[derive(Debug)]
pub struct GithubSchema {
    schema: Valid<Schema>,
}

/// Something wrong with a document, and where in its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InDocument {
    pub message: String,
    pub span: Option<Span>,
}

impl GithubSchema {
    /// Reads the texts in order; a later one may extend what an earlier one defines.
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

    /// Everything that is wrong with the operations and fragments of a text.
    pub fn problems(&self, text: &str) -> Vec<InDocument> {
        self.document(text).err().unwrap_or_default()
    }

    /// The document with types, or what is wrong with it.
    pub(crate) fn document(
        &self,
        text: &str,
    ) -> Result<Valid<ExecutableDocument>, Vec<InDocument>> {
        ExecutableDocument::parse_and_validate(&self.schema, text, "document").map_err(|failed| {
            let problems = failed.errors.iter().map(|diagnostic| InDocument {
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

    /// The object types that a value of this type can be of.
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

    /// What a value of a leaf type looks like in JSON.
    pub(crate) fn leaf(&self, name: &str) -> Kind {
        match (name, self.get(name)) {
            ("Int", _) => Kind::Integer,
            ("Float", _) => Kind::Number,
            ("Boolean", _) => Kind::Boolean,
            // The one scalar of GitHub's that is not always a text.
            ("CustomPropertyValue", _) => Kind::Any,
            (_, Some(ExtendedType::Enum(definition))) => Kind::Text(Texts::These(
                definition.values.keys().map(ToString::to_string).collect(),
            )),
            (_, Some(ExtendedType::Scalar(_))) => Kind::Text(Texts::All),
            _ => Kind::Any,
        }
    }
}

/// A field that does not exist leaves the one around it without a selection: once is enough.
fn without_consequences(mut problems: Vec<InDocument>) -> Vec<InDocument> {
    let is_consequence = |problem: &InDocument| {
        let words = "must have a subselection set";
        problem.message.ends_with(words)
    };
    if !problems.iter().all(is_consequence) {
        problems.retain(|problem| !is_consequence(problem));
    }
    problems
}
