//! The bridge to the execution engine: every GraphQL object is an [`Object`].

use super::cost::Cost;
use super::default::default_result;
use super::errors;
use super::field::Field;
use super::interference::Interference;
use super::value::{FieldResult, FieldValue, ResolveError};
use super::{made_up, mutations, root, types};
use crate::world::{Viewer, World};
use apollo_compiler::resolvers::{FieldError, ObjectValue, ResolveInfo, ResolvedValue};
use apollo_compiler::response::JsonValue;
use serde_json::Value;
use std::cell::{Cell, RefCell};

/// The state of one request. Resolvers borrow the world for the duration of one field.
pub(super) struct Session<'w> {
    pub(super) world: RefCell<&'w mut World>,
    pub(super) viewer: Viewer,
    pub(super) cost: Cost,
    pub(super) interference: &'w Interference,
    /// Errors in addition to those of the engine, for lists that keep their other items.
    pub(super) extra_errors: RefCell<Vec<Value>>,
    /// Aliases of the root fields that have changed the world.
    pub(super) applied: RefCell<Vec<String>>,
    /// Whether an object of the answer is made up, because nobody modelled it.
    pub(super) is_made_up: Cell<bool>,
    /// The number of root fields started so far.
    pub(super) root_fields_started: Cell<usize>,
}

/// An object of the response.
pub(super) enum Object<'s, 'w> {
    Query(&'s Session<'w>),
    Mutation(&'s Session<'w>),
    Value(&'s Session<'w>, FieldValue, String),
}

impl Session<'_> {
    /// Resolves a root field, unless a fault prevents it.
    fn resolve_root(
        &self,
        field: &Field<'_>,
        resolve: impl FnOnce() -> FieldResult,
    ) -> FieldResult {
        let started = self.root_fields_started.get();
        self.root_fields_started.set(started + 1);
        if self
            .interference
            .cut_after
            .is_some_and(|limit| started >= limit)
        {
            // No client sees this value: the fault replaces the response.
            return Ok(Some(FieldValue::Null));
        }
        match self.interference.failing_root_field(field) {
            None => resolve(),
            Some(failing) => {
                if failing.executed {
                    // The field is executed whatever its result; the client sees the injected error.
                    let _ = resolve();
                }
                Err(failing.error)
            }
        }
    }

    /// Executes one root field of a mutation. The engine calls this for one field after the other.
    fn execute_mutation(&self, field: &Field<'_>) -> FieldResult {
        let mut world = self.world.borrow_mut();
        let before = world.revision();
        let result = mutations::resolve(&mut world, &self.viewer, field);
        let Some(result) = result else {
            self.is_made_up.set(true);
            return Ok(Some(made_up::payload(&world, &self.viewer, field)));
        };
        if world.revision() != before {
            self.applied.borrow_mut().push(field.response_key());
        }
        result
    }
}

impl<'s, 'w> Object<'s, 'w> {
    fn session(&self) -> &'s Session<'w> {
        match self {
            Self::Query(session) | Self::Mutation(session) | Self::Value(session, ..) => session,
        }
    }

    fn resolve(&self, field: &Field<'_>) -> FieldResult {
        let session = self.session();
        match self {
            Self::Query(_) => session.resolve_root(field, || root::resolve(session, field)),
            Self::Mutation(_) => session.resolve_root(field, || session.execute_mutation(field)),
            Self::Value(_, FieldValue::Node(place), _) => {
                let world = session.world.borrow();
                let context = types::Context {
                    world: &world,
                    viewer: &session.viewer,
                };
                types::resolve(&context, place, field)
            }
            Self::Value(_, FieldValue::Record(record), _) => {
                let known = record.fields.iter().find(|(name, _)| *name == field.name());
                match known.map(|(_, value)| value) {
                    // Connections inside records are paginated too.
                    Some(FieldValue::List(items)) if !field.ty().is_list() => {
                        super::page::connection(field, items.clone())
                    }
                    Some(FieldValue::Connection(items, extra)) => {
                        let (items, extra) = (items.clone(), extra.clone());
                        super::page::connection_with(field, items, |item| item, extra)
                    }
                    known => Ok(known.cloned()),
                }
            }
            Self::Value(..) => Ok(None),
        }
    }
}

impl ObjectValue for Object<'_, '_> {
    fn type_name(&self) -> &str {
        match self {
            Self::Query(_) => "Query",
            Self::Mutation(_) => "Mutation",
            Self::Value(_, _, type_name) => type_name,
        }
    }

    fn resolve_field<'a>(
        &'a self,
        info: &'a ResolveInfo<'a>,
    ) -> Result<ResolvedValue<'a>, FieldError> {
        let field = Field::new(info);
        let value = match self.resolve(&field).map_err(|error| field_error(&error))? {
            Some(value) => value,
            None => match made_up::found_by(&field) {
                Some(value) => {
                    self.session().is_made_up.set(true);
                    value
                }
                None => default_result(&field)
                    .map_err(|error| field_error(&error))?
                    .unwrap_or(FieldValue::Null),
            },
        };
        Ok(into_resolved(self.session(), value))
    }
}

fn field_error(error: &ResolveError) -> FieldError {
    FieldError {
        message: errors::encode(error),
    }
}

fn into_resolved<'a>(session: &'a Session<'_>, value: FieldValue) -> ResolvedValue<'a> {
    match value {
        // `Object::resolve` has already turned connections into records.
        FieldValue::Null | FieldValue::Connection(..) => ResolvedValue::null(),
        FieldValue::Json(json) => ResolvedValue::Leaf(JsonValue::from(json)),
        FieldValue::List(items) => {
            ResolvedValue::list(items.into_iter().map(|item| into_resolved(session, item)))
        }
        FieldValue::Node(place) => {
            let type_name = place.kind().type_name().to_owned();
            ResolvedValue::object(Object::Value(session, FieldValue::Node(place), type_name))
        }
        FieldValue::Record(record) => {
            let type_name = record.type_name.clone();
            ResolvedValue::object(Object::Value(
                session,
                FieldValue::Record(record),
                type_name,
            ))
        }
    }
}
