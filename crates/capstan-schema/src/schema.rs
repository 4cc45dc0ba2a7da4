//! A schema within its document.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::accept::{Truth, accepts};
use crate::budget::Budget;
use crate::lookup::Lookup;
use crate::types::TypeSet;

/// The work for one lookup in a schema.
const WORK: u32 = 20_000;

/// A schema with the document that its references point into. Cheap to copy.
#[derive(Clone, Copy, Debug)]
pub struct Schema<'a> {
    /// The target of `#`: the document, or the nearest part of it that has an `$id`.
    pub(crate) root: &'a Value,
    pub(crate) node: &'a Value,
}

/// The schema of a part of a value: of a property, or of array elements.
///
/// If several places describe the part, this owns a combination of them. So it is not simply a [`Schema`].
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
    /// Creates a schema that is a whole document.
    pub fn new(document: &'a Value) -> Self {
        Self {
            root: document,
            node: document,
        }
    }

    pub fn node(&self) -> &'a Value {
        self.node
    }

    /// Returns the target of `#`: the document, or the nearest part of it that has an `$id`.
    pub fn document(&self) -> &'a Value {
        self.root
    }

    /// Returns the property with this name; `None` if nothing describes it.
    ///
    /// Follows `$ref` and looks into `allOf`. For `anyOf` and `oneOf`, every alternative that can be an
    /// object must have the property; [`Schema::types`] says whether there are other alternatives.
    pub fn property(&self, name: &str) -> Option<Property<'a>> {
        Lookup::new(&Budget::with_work(WORK)).property(*self, name)
    }

    /// Returns all named properties in the order of the document.
    pub fn properties(&self) -> Vec<(&'a str, Property<'a>)> {
        Lookup::new(&Budget::with_work(WORK)).properties(*self)
    }

    /// Returns the names of the properties that every object has.
    pub fn required(&self) -> Vec<&'a str> {
        Lookup::new(&Budget::with_work(WORK)).required(*self)
    }

    /// Returns the schema that every array element matches.
    pub fn items(&self) -> Option<Part<'a>> {
        Lookup::new(&Budget::with_work(WORK)).items(*self)
    }

    /// Whether objects have no properties but the described ones.
    pub fn is_closed(&self) -> bool {
        Lookup::new(&Budget::with_work(WORK)).is_closed(*self)
    }

    /// Returns the types of matching values.
    pub fn types(&self) -> TypeSet {
        Lookup::new(&Budget::with_work(WORK)).types(*self)
    }

    /// Whether a value matches; `None` if that cannot be decided.
    pub fn accepts(&self, value: &Value) -> Option<bool> {
        match accepts(value, *self, &Budget::with_work(WORK)) {
            Truth::Yes => Some(true),
            Truth::No => Some(false),
            Truth::Unknown => None,
        }
    }

    /// Returns a part of the same document as a schema.
    pub(crate) fn child(self, node: &'a Value) -> Self {
        let root = if has_id(node) { node } else { self.root };
        Self { root, node }
    }

    /// Returns the keywords; `None` if the schema is `true` or `false`.
    pub(crate) fn keywords(self) -> Option<&'a Map<String, Value>> {
        self.node.as_object()
    }

    /// Whether it obviously accepts everything.
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

    /// Returns the target of a reference; `None` if it is not in this document.
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

/// Whether references in a node are relative to that node.
pub(crate) fn has_id(node: &Value) -> bool {
    node.get("$id")
        .and_then(Value::as_str)
        .is_some_and(|id| !id.is_empty() && !id.starts_with('#'))
}
