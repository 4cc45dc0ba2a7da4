//! A GraphQL schema, with the questions that the generator asks of it.

use apollo_compiler::Schema;
use apollo_compiler::schema::{ExtendedType, FieldDefinition};
use apollo_compiler::validation::Valid;

use super::operation::{RootField, RootKind};
use crate::problem::Problem;

/// A valid GraphQL schema.
#[derive(Debug)]
pub struct GraphqlSchema {
    schema: Valid<Schema>,
}

impl GraphqlSchema {
    /// Parses the texts of a schema, each with its name. A later text may extend the definitions of an earlier one.
    pub fn parse(texts: &[(&str, &str)]) -> Result<Self, Problem> {
        let mut builder = Schema::builder();
        for (name, text) in texts {
            builder = builder.parse(*text, *name);
        }
        let schema = builder.build().and_then(Schema::validate);
        let schema = schema.map_err(|failed| {
            let names: Vec<_> = texts.iter().map(|(name, _)| *name).collect();
            Problem::new(names.join(", "), failed.errors.to_string())
        })?;
        Ok(Self { schema })
    }

    /// Returns the fields that can be asked for at the top, in the order of the schema.
    pub(super) fn roots(&self, kind: RootKind) -> Vec<RootField<'_>> {
        let definition = &self.schema.schema_definition;
        let name = match kind {
            RootKind::Query => &definition.query,
            RootKind::Mutation => &definition.mutation,
        };
        let Some(ExtendedType::Object(root)) = name
            .as_ref()
            .and_then(|name| self.schema.types.get(&name.name))
        else {
            return Vec::new();
        };
        let fields = root.fields.values();
        fields
            .map(|field| RootField {
                kind,
                field: &field.node,
            })
            .collect()
    }

    pub(super) fn get(&self, name: &str) -> Option<&ExtendedType> {
        self.schema.types.get(name)
    }

    /// Returns the fields that a type has itself.
    pub(super) fn own_fields(&self, name: &str) -> Vec<&FieldDefinition> {
        match self.get(name) {
            Some(ExtendedType::Object(object)) => {
                object.fields.values().map(|field| &*field.node).collect()
            }
            Some(ExtendedType::Interface(interface)) => interface
                .fields
                .values()
                .map(|field| &*field.node)
                .collect(),
            _ => Vec::new(),
        }
    }

    pub(super) fn own_field(&self, ty: &str, name: &str) -> Option<&FieldDefinition> {
        let mut fields = self.own_fields(ty).into_iter();
        fields.find(|field| field.name == name)
    }

    /// Returns whether values of this type can be of several types.
    pub(super) fn is_abstract(&self, name: &str) -> bool {
        matches!(
            self.get(name),
            Some(ExtendedType::Interface(_) | ExtendedType::Union(_))
        )
    }

    /// Returns whether values of this type have no fields.
    pub(super) fn is_leaf(&self, name: &str) -> bool {
        matches!(
            self.get(name),
            Some(ExtendedType::Scalar(_) | ExtendedType::Enum(_))
        )
    }

    /// Returns the interfaces of an object type, sorted.
    pub(super) fn interfaces_of(&self, name: &str) -> Vec<&str> {
        let Some(ExtendedType::Object(object)) = self.get(name) else {
            return Vec::new();
        };
        let interfaces = object.implements_interfaces.iter();
        let mut names: Vec<&str> = interfaces.map(|it| it.name.as_str()).collect();
        names.sort_unstable();
        names
    }

    pub(super) fn is_enum(&self, name: &str) -> bool {
        matches!(self.get(name), Some(ExtendedType::Enum(_)))
    }

    /// Returns the object types that a value of this type can have, sorted.
    pub(super) fn possible_types(&self, name: &str) -> Vec<&str> {
        let types = self.schema.types.values();
        let mut names: Vec<&str> = types
            .filter(|ty| ty.is_object() && self.schema.is_subtype(name, ty.name()))
            .map(|ty| ty.name().as_str())
            .collect();
        names.sort_unstable();
        names
    }
}
