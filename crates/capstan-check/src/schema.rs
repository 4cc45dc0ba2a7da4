//! GitHub's GraphQL schema, as the checks ask it.

use std::collections::BTreeSet;

use apollo_compiler::schema::ExtendedType;
use apollo_compiler::validation::Valid;
use apollo_compiler::{ExecutableDocument, Schema};

use crate::ty::{Kind, Texts};

/// A schema that documents are checked against. The texts come from the caller: this crate
/// carries none.
#[derive(Debug)]
pub struct GithubSchema {
    schema: Valid<Schema>,
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

    /// The document with types, or what is wrong with it, one message for each problem.
    pub(crate) fn document(&self, text: &str) -> Result<Valid<ExecutableDocument>, Vec<String>> {
        ExecutableDocument::parse_and_validate(&self.schema, text, "document").map_err(|failed| {
            let errors = failed.errors.iter();
            errors
                .map(|diagnostic| diagnostic.error.to_string())
                .collect()
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
