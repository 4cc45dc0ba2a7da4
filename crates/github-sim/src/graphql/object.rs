//! The bridge to the execution engine: every GraphQL object is an [`Object`].

use super::answer::{Answer, Failure, Val};
use super::cost::Cost;
use super::default::default_answer;
use super::errors;
use super::field::Field;
use super::interference::Interference;
use super::{mutations, root, types};
use crate::world::{Viewer, World};
use apollo_compiler::resolvers::{FieldError, ObjectValue, ResolveInfo, ResolvedValue};
use apollo_compiler::response::JsonValue;
use serde_json::Value;
use std::cell::{Cell, RefCell};

/// One request's access to the world. Resolvers borrow it for the time of one field.
pub(super) struct Session<'w> {
    pub(super) world: RefCell<&'w mut World>,
    pub(super) viewer: Viewer,
    pub(super) cost: Cost,
    pub(super) interference: &'w Interference,
    /// Errors beside values, for lists that keep their other items.
    pub(super) beside: RefCell<Vec<Value>>,
    /// The root fields that changed the world so far, by alias.
    pub(super) applied: RefCell<Vec<String>>,
    /// How many root fields were begun.
    pub(super) begun: Cell<usize>,
}

/// An object in the answer.
pub(super) enum Object<'s, 'w> {
    Query(&'s Session<'w>),
    Mutation(&'s Session<'w>),
    Value(&'s Session<'w>, Val, String),
}

impl Session<'_> {
    /// Answers a root field, unless a fault keeps it from that.
    fn root(&self, field: &Field<'_>, resolve: impl FnOnce() -> Answer) -> Answer {
        let begun = self.begun.replace(self.begun.get() + 1);
        if self
            .interference
            .cut_after
            .is_some_and(|most| begun >= most)
        {
            // Nobody sees this answer: the server has given up.
            return Ok(Some(Val::Null));
        }
        match self.interference.failing(field) {
            None => resolve(),
            Some(failing) => {
                if failing.carried_out {
                    // It happened, whatever came of it; the client is told otherwise.
                    let _ = resolve();
                }
                Err(failing.failure)
            }
        }
    }

    /// Runs one root field of a mutation; the engine calls for them one after another.
    fn mutate(&self, field: &Field<'_>) -> Answer {
        let mut world = self.world.borrow_mut();
        let before = world.revision();
        let answer = mutations::resolve(&mut world, &self.viewer, field);
        if world.revision() != before {
            self.applied.borrow_mut().push(field.response_key());
        }
        answer
    }
}

impl<'s, 'w> Object<'s, 'w> {
    fn session(&self) -> &'s Session<'w> {
        match self {
            Self::Query(session) | Self::Mutation(session) | Self::Value(session, ..) => session,
        }
    }

    fn answer(&self, field: &Field<'_>) -> Answer {
        let session = self.session();
        match self {
            Self::Query(_) => session.root(field, || root::resolve(session, field)),
            Self::Mutation(_) => session.root(field, || session.mutate(field)),
            Self::Value(_, Val::Node(place), _) => {
                let world = session.world.borrow();
                let context = types::Context {
                    world: &world,
                    viewer: &session.viewer,
                };
                types::resolve(&context, place, field)
            }
            Self::Value(_, Val::Record(record), _) => {
                let known = record.fields.iter().find(|(name, _)| *name == field.name());
                match known.map(|(_, value)| value) {
                    // A connection inside a record is still cut to the page asked for.
                    Some(Val::List(items)) if !field.ty().is_list() => {
                        super::page::connection(field, items.clone())
                    }
                    Some(Val::Connection(items, extra)) => {
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
        let value = match self
            .answer(&field)
            .map_err(|failure| field_error(&failure))?
        {
            Some(value) => value,
            None => default_answer(&field)
                .map_err(|failure| field_error(&failure))?
                .unwrap_or(Val::Null),
        };
        Ok(resolved(self.session(), value))
    }
}

fn field_error(failure: &Failure) -> FieldError {
    FieldError {
        message: errors::encode(failure),
    }
}

fn resolved<'a>(session: &'a Session<'_>, value: Val) -> ResolvedValue<'a> {
    match value {
        // Fields of records are made into pages before.
        Val::Null | Val::Connection(..) => ResolvedValue::null(),
        Val::Json(json) => ResolvedValue::Leaf(JsonValue::from(json)),
        Val::List(items) => {
            ResolvedValue::list(items.into_iter().map(|item| resolved(session, item)))
        }
        Val::Node(place) => {
            let type_name = place.kind().type_name().to_owned();
            ResolvedValue::object(Object::Value(session, Val::Node(place), type_name))
        }
        Val::Record(record) => {
            let type_name = record.type_name.clone();
            ResolvedValue::object(Object::Value(session, Val::Record(record), type_name))
        }
    }
}
