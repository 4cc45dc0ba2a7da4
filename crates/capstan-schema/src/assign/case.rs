//! What is known of a value.

use std::rc::Rc;

use serde_json::{Map, Value};

use crate::lookup::requires;
use crate::named_properties::NamedProperties;
use crate::schema::Schema;
use crate::types::TypeSet;

/// A schema that the value is known to match, or not to match.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownSchema<'a> {
    pub(super) schema: Schema<'a>,
    /// Whether it describes the value that is checked (`true`), or the value before projection.
    pub(super) exact: bool,
}

/// The keywords of a schema that the value is known to match.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fact<'a> {
    pub(super) given: KnownSchema<'a>,
    pub(super) keywords: &'a Map<String, Value>,
}

/// What the value was projected onto; `None` if it was not projected.
pub(super) type Origin<'a> = Option<Rc<NamedProperties<'a>>>;

/// Facts that all hold for one value.
#[derive(Clone, Debug)]
pub(super) struct Case<'a> {
    /// Schemas that it matches. Their subschemas for the same value are separate facts.
    pub(super) facts: Vec<Fact<'a>>,
    /// Schemas that it does not match.
    pub(super) nots: Vec<KnownSchema<'a>>,
    /// The types that it may have.
    pub(super) types: TypeSet,
    /// Properties that it has if it is an object.
    pub(super) present: Vec<&'a str>,
    pub(super) origin: Origin<'a>,
}

impl<'a> KnownSchema<'a> {
    /// Returns a subschema, which describes the same value or a part of it.
    pub(super) fn child(self, node: &'a Value) -> Self {
        Self {
            schema: self.schema.child(node),
            exact: self.exact,
        }
    }

    fn key(self) -> usize {
        // Nodes are aligned, so the lowest bit is free.
        std::ptr::from_ref(self.schema.node).addr() << 1 | usize::from(self.exact)
    }
}

impl<'a> Fact<'a> {
    pub(super) fn get(&self, keyword: &str) -> Option<&'a Value> {
        self.keywords.get(keyword)
    }

    pub(super) fn child(&self, keyword: &str) -> Option<KnownSchema<'a>> {
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

    /// Whether a schema describes the value that is checked, and not only the value before projection. For
    /// scalars both are the same.
    pub(super) fn applies_to(&self, given: KnownSchema<'_>) -> bool {
        given.exact || self.types.is_subset(TypeSet::SCALAR)
    }

    /// Whether the value has this property if it is an object.
    pub(super) fn has(&self, name: &str) -> bool {
        let known = |of: &str| {
            self.present.contains(&of) || self.facts.iter().any(|it| requires(it.keywords, of))
        };
        // Projection may remove a required property that is not named.
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

    /// Returns a key that distinguishes this case from others.
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
