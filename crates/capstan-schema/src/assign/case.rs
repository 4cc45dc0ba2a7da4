//! What is known about a value.

use std::rc::Rc;

use serde_json::{Map, Value};

use crate::lookup::requires;
use crate::naming::Naming;
use crate::schema::Schema;
use crate::types::TypeSet;

/// A schema that the value is known to pass, or not to pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given<'a> {
    pub(super) schema: Schema<'a>,
    /// Whether it speaks of the value that is handed over, or of the one that this was reduced from.
    pub(super) exact: bool,
}

/// The keywords of a schema that the value is known to pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fact<'a> {
    pub(super) given: Given<'a>,
    pub(super) keywords: &'a Map<String, Value>,
}

/// What reduced the value that is handed over; nothing where it was handed over as it was.
pub(super) type Origin<'a> = Option<Rc<Naming<'a>>>;

/// Things that are all true of one value.
#[derive(Clone, Debug)]
pub(super) struct Case<'a> {
    /// It passes these, without the parts of them that follow as facts of their own.
    pub(super) facts: Vec<Fact<'a>>,
    /// It does not pass these.
    pub(super) nots: Vec<Given<'a>>,
    /// It has one of these types.
    pub(super) types: TypeSet,
    /// It has these properties if it is an object.
    pub(super) present: Vec<&'a str>,
    pub(super) origin: Origin<'a>,
}

impl<'a> Given<'a> {
    /// A part of the schema that speaks of the same value or of a part of it.
    pub(super) fn child(self, node: &'a Value) -> Self {
        Self {
            schema: self.schema.child(node),
            exact: self.exact,
        }
    }

    fn key(self) -> usize {
        // Nodes are aligned, so that the lowest bit is free.
        std::ptr::from_ref(self.schema.node).addr() << 1 | usize::from(self.exact)
    }
}

impl<'a> Fact<'a> {
    pub(super) fn get(&self, keyword: &str) -> Option<&'a Value> {
        self.keywords.get(keyword)
    }

    pub(super) fn child(&self, keyword: &str) -> Option<Given<'a>> {
        Some(self.given.child(self.get(keyword)?))
    }
}

impl<'a> Case<'a> {
    pub(super) fn new(origin: Origin<'a>) -> Self {
        Self {
            facts: Vec::new(),
            nots: Vec::new(),
            types: TypeSet::ALL,
            present: Vec::new(),
            origin,
        }
    }

    /// Whether what is given speaks of the very value that is handed over: reducing changes nothing
    /// of values that have no parts.
    pub(super) fn speaks(&self, given: Given<'_>) -> bool {
        given.exact || self.types.is_subset(TypeSet::SCALAR)
    }

    /// Whether the value has this property if it is an object.
    pub(super) fn has(&self, name: &str) -> bool {
        let known = |of: &str| {
            self.present.contains(&of) || self.facts.iter().any(|it| requires(it.keywords, of))
        };
        // A required property of the value before it was reduced may be gone, unless it is named.
        let kept = |of: &str| self.origin.as_ref().is_none_or(|it| it.keeps(of));
        let follows = || {
            self.facts.iter().any(|fact| {
                let each = fact.get("dependentRequired").and_then(Value::as_object);
                each.into_iter().flatten().any(|(of, names)| {
                    let names = names.as_array();
                    names.is_some_and(|it| it.iter().any(|it| it == name)) && known(of) && kept(of)
                })
            })
        };
        let exact = |it: &Fact<'_>| it.given.exact && requires(it.keywords, name);
        self.present.contains(&name)
            || kept(name) && (known(name) || follows())
            || self.facts.iter().any(exact)
    }

    /// What tells this case from others.
    pub(super) fn key(&self, target: Schema<'_>) -> Vec<usize> {
        let mut key = vec![
            std::ptr::from_ref(target.node).addr(),
            self.types.bits().into(),
            self.facts.len(),
            self.nots.len(),
            self.present.len(),
        ];
        key.extend(self.facts.iter().map(|it| it.given.key()));
        key.extend(self.nots.iter().map(|it| it.key()));
        key.extend(
            self.present
                .iter()
                .flat_map(|it| [it.as_ptr().addr(), it.len()]),
        );
        let origin = self.origin.iter().flat_map(|it| it.nodes());
        key.extend(origin.map(|it| std::ptr::from_ref(it.node).addr()));
        key
    }
}
