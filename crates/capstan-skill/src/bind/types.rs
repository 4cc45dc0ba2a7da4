//! The known type of a value before anything runs.

use capstan_core::expr::Segment;
use capstan_schema::{Schema, Type, TypeSet, describe};
use serde_json::{Value, json};

use super::embed;

/// A self-contained schema, or `None` if nothing is known.
#[derive(Clone, Debug)]
pub(super) struct Ty {
    schema: Option<Value>,
    /// Whether the value always exists once the step that produces it has run.
    pub(super) always: bool,
}

/// A name that a schema does not have.
#[derive(Debug)]
pub(super) struct MissingField {
    pub(super) name: String,
    pub(super) known: Vec<String>,
    /// The type of the value, if it has no properties or elements at all.
    pub(super) kind: Option<String>,
}

impl Ty {
    pub(super) fn unknown() -> Self {
        Self {
            schema: None,
            always: true,
        }
    }

    pub(super) fn known(schema: Value) -> Self {
        Self {
            schema: Some(schema),
            always: true,
        }
    }

    /// Creates the type of a part of a schema document.
    pub(super) fn from_part(part: Schema<'_>, always: bool) -> Self {
        Self {
            schema: embed::as_document(part),
            always,
        }
    }

    pub(super) fn boolean() -> Self {
        Self::known(json!({"type": "boolean"}))
    }

    pub(super) fn schema(&self) -> Option<Schema<'_>> {
        self.schema.as_ref().map(Schema::new)
    }

    /// Returns the schema in a form that can be part of a larger one.
    pub(super) fn into_subschema(self) -> Option<Value> {
        self.schema.and_then(embed::as_subschema)
    }

    /// Describes the type in a few words.
    pub(super) fn words(&self) -> String {
        match self.schema() {
            Some(schema) => describe(schema),
            None => "anything".to_owned(),
        }
    }

    /// Returns the type of what a path leads to in values of a document, or the first name that does not
    /// exist.
    pub(super) fn walk(document: &Value, segments: &[Segment]) -> Result<Self, MissingField> {
        let Some((segment, rest)) = segments.split_first() else {
            return Ok(Self::known(document.clone()));
        };
        let here = Schema::new(document);
        match segment {
            Segment::Key(name) => match here.property(name) {
                Some(property) => {
                    let only_objects = here.types().is_subset(TypeSet::of(Type::Object));
                    let always = property.required && only_objects;
                    let part = Self::from_part(property.schema(), always);
                    part.follow(rest)
                }
                None if !here.types().meets(TypeSet::of(Type::Object)) => {
                    Err(MissingField::of_type(name.clone(), here))
                }
                None if names_its_properties(here) => {
                    let known = here.properties();
                    Err(MissingField {
                        name: name.clone(),
                        known: known.iter().map(|(name, _)| (*name).to_owned()).collect(),
                        kind: None,
                    })
                }
                None => Ok(Self::unknown()),
            },
            Segment::Index(_) | Segment::Each if !here.types().contains(Type::Array) => {
                let element = match segment {
                    Segment::Index(index) => format!("[{index}]"),
                    _ => "[]".to_owned(),
                };
                Err(MissingField::of_type(element, here))
            }
            Segment::Index(_) => match here.items() {
                Some(items) => Self::from_part(items.schema(), false).follow(rest),
                None => Ok(Self::unknown()),
            },
            Segment::Each => {
                let Some(items) = here.items() else {
                    return Ok(Self::unknown());
                };
                let each = Self::from_part(items.schema(), true).follow(rest)?;
                Ok(match each.into_subschema() {
                    Some(each) => Self::known(json!({"type": "array", "items": each})),
                    None => Self::unknown(),
                })
            }
        }
    }

    fn follow(self, rest: &[Segment]) -> Result<Self, MissingField> {
        let always = self.always;
        let mut ty = match &self.schema {
            _ if rest.is_empty() => self,
            Some(schema) => Self::walk(schema, rest)?,
            None => self,
        };
        ty.always &= always;
        Ok(ty)
    }
}

impl MissingField {
    fn of_type(name: String, here: Schema<'_>) -> Self {
        Self {
            name,
            known: Vec::new(),
            kind: Some(describe(here)),
        }
    }
}

/// Whether a schema lists its properties.
fn names_its_properties(schema: Schema<'_>) -> bool {
    schema.is_closed() || !schema.properties().is_empty()
}
