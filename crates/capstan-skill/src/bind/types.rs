//! What is known of a value before anything runs.

use capstan_core::expr::Segment;
use capstan_schema::{Schema, Type, TypeSet, describe};
use serde_json::{Value, json};

use super::embed;

/// A schema that stands for itself, or nothing where nothing is known.
#[derive(Clone, Debug)]
pub(super) struct Ty {
    schema: Option<Value>,
    /// Whether it is there whenever the step that gives it ran.
    pub(super) always: bool,
}

/// A name that nothing has.
#[derive(Debug)]
pub(super) struct Missing {
    pub(super) name: String,
    pub(super) known: Vec<String>,
    /// What is there instead, where nothing of it has a name or a place.
    pub(super) kind: Option<String>,
}

impl Ty {
    pub(super) fn unknown() -> Self {
        Self {
            schema: None,
            always: true,
        }
    }

    pub(super) fn made(schema: Value) -> Self {
        Self {
            schema: Some(schema),
            always: true,
        }
    }

    /// A part of a document.
    pub(super) fn part(part: Schema<'_>, always: bool) -> Self {
        Self {
            schema: embed::alone(part),
            always,
        }
    }

    pub(super) fn boolean() -> Self {
        Self::made(json!({"type": "boolean"}))
    }

    pub(super) fn schema(&self) -> Option<Schema<'_>> {
        self.schema.as_ref().map(Schema::new)
    }

    /// The schema as a part of a larger one.
    pub(super) fn into_part(self) -> Option<Value> {
        self.schema.and_then(embed::within_another)
    }

    /// In a few words.
    pub(super) fn words(&self) -> String {
        match self.schema() {
            Some(schema) => describe(schema),
            None => "anything".to_owned(),
        }
    }

    /// What a path leads to in values that pass a document; the name that is not there, where it leads
    /// nowhere.
    pub(super) fn walk(document: &Value, segments: &[Segment]) -> Result<Self, Missing> {
        let Some((segment, rest)) = segments.split_first() else {
            return Ok(Self::made(document.clone()));
        };
        let here = Schema::new(document);
        match segment {
            Segment::Key(name) => match here.property(name) {
                Some(property) => {
                    let only_objects = here.types().is_subset(TypeSet::of(Type::Object));
                    let always = property.required && only_objects;
                    let part = Self::part(property.schema(), always);
                    part.go_on(rest)
                }
                None if !here.types().meets(TypeSet::of(Type::Object)) => {
                    Err(Missing::in_kind(name.clone(), here))
                }
                None if says_what_there_is(here) => {
                    let known = here.properties();
                    Err(Missing {
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
                Err(Missing::in_kind(element, here))
            }
            Segment::Index(_) => match here.items() {
                Some(items) => Self::part(items.schema(), false).go_on(rest),
                None => Ok(Self::unknown()),
            },
            Segment::Each => {
                let Some(items) = here.items() else {
                    return Ok(Self::unknown());
                };
                let each = Self::part(items.schema(), true).go_on(rest)?;
                Ok(match each.into_part() {
                    Some(each) => Self::made(json!({"type": "array", "items": each})),
                    None => Self::unknown(),
                })
            }
        }
    }

    fn go_on(self, rest: &[Segment]) -> Result<Self, Missing> {
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

impl Missing {
    fn in_kind(name: String, here: Schema<'_>) -> Self {
        Self {
            name,
            known: Vec::new(),
            kind: Some(describe(here)),
        }
    }
}

/// Whether a schema says which properties there are.
fn says_what_there_is(schema: Schema<'_>) -> bool {
    schema.is_closed() || !schema.properties().is_empty()
}
