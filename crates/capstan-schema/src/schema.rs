//! A schema in its document.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::accept::{Truth, accepts};
use crate::budget::Budget;
use crate::lookup::Lookup;
use crate::types::TypeSet;

/// What one look at a schema may cost.
const WORK: u32 = 20_000;

/// A schema together with the document that its references point into. Cheap to copy.
#[derive(Clone, Copy, Debug)]
pub struct Schema<'a> {
    /// What `#` means here: the document, or the nearest part of it that has an `$id`.
    pub(crate) root: &'a Value,
    pub(crate) node: &'a Value,
}

/// A part of what a schema describes: a property, or the elements of an array.
///
/// Where a schema speaks of it in several places it is a schema made of them, which is why it is not
/// simply a [`Schema`].
#[derive(Clone, Debug)]
pub struct Part<'a> {
    pub(crate) root: &'a Value,
    pub(crate) node: Cow<'a, Value>,
}

/// A property of objects.
#[derive(Clone, Debug)]
pub struct Property<'a> {
    pub part: Part<'a>,
    /// Whether every object has it.
    pub required: bool,
}

impl<'a> Schema<'a> {
    /// The schema that a document is.
    pub fn new(document: &'a Value) -> Self {
        Self {
            root: document,
            node: document,
        }
    }

    pub fn node(&self) -> &'a Value {
        self.node
    }

    /// What `#` means here: the document, or the nearest part of it that has an `$id`.
    pub fn document(&self) -> &'a Value {
        self.root
    }

    /// What an object has under this name; nothing where nothing is said about it.
    ///
    /// Follows `$ref` and looks through `allOf`. Of `anyOf` and `oneOf` it is a property that every
    /// alternative has that can be an object at all: ask [`Schema::types`] whether there are others.
    pub fn property(&self, name: &str) -> Option<Property<'a>> {
        Lookup::new(&Budget::of(WORK)).property(*self, name)
    }

    /// All properties that have a name, in the order written.
    pub fn properties(&self) -> Vec<(&'a str, Property<'a>)> {
        Lookup::new(&Budget::of(WORK)).properties(*self)
    }

    /// The names of the properties that every object has.
    pub fn required(&self) -> Vec<&'a str> {
        Lookup::new(&Budget::of(WORK)).required(*self)
    }

    /// Of arrays: what every element passes.
    pub fn items(&self) -> Option<Part<'a>> {
        Lookup::new(&Budget::of(WORK)).items(*self)
    }

    /// Whether objects have no properties but those that are described.
    pub fn is_closed(&self) -> bool {
        Lookup::new(&Budget::of(WORK)).is_closed(*self)
    }

    /// The types of the values that can pass.
    pub fn types(&self) -> TypeSet {
        Lookup::new(&Budget::of(WORK)).types(*self)
    }

    /// Whether a value passes; nothing where that cannot be told.
    pub fn accepts(&self, value: &Value) -> Option<bool> {
        match accepts(value, *self, &Budget::of(WORK)) {
            Truth::Yes => Some(true),
            Truth::No => Some(false),
            Truth::Unknown => None,
        }
    }

    /// A part of the same document.
    pub(crate) fn child(self, node: &'a Value) -> Self {
        let root = if has_id(node) { node } else { self.root };
        Self { root, node }
    }

    /// The keywords of a schema that is not simply yes or no.
    pub(crate) fn keywords(self) -> Option<&'a Map<String, Value>> {
        self.node.as_object()
    }

    /// Whether it lets everything pass at first sight.
    pub(crate) fn is_anything(self) -> bool {
        match self.node {
            Value::Bool(anything) => *anything,
            Value::Object(keywords) => keywords.is_empty(),
            _ => false,
        }
    }

    pub(crate) fn is_same(self, other: Self) -> bool {
        std::ptr::eq(self.node, other.node) && std::ptr::eq(self.root, other.root)
    }

    /// Where a reference points; nothing if not into this document.
    pub(crate) fn resolve(self, reference: &str, budget: &Budget) -> Option<Self> {
        crate::reference::resolve(self, reference, budget)
    }
}

impl<'a> Part<'a> {
    pub(crate) fn of(schema: Schema<'a>) -> Self {
        Self {
            root: schema.root,
            node: Cow::Borrowed(schema.node),
        }
    }

    pub fn schema(&self) -> Schema<'_> {
        Schema {
            root: self.root,
            node: &self.node,
        }
    }
}

impl Property<'_> {
    pub fn schema(&self) -> Schema<'_> {
        self.part.schema()
    }
}

/// Whether references within a node are meant from there.
pub(crate) fn has_id(node: &Value) -> bool {
    node.get("$id")
        .and_then(Value::as_str)
        .is_some_and(|id| !id.is_empty() && !id.starts_with('#'))
}
