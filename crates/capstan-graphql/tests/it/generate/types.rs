//! What the generator needs to know about types of the schema.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use apollo_compiler::Node;
use apollo_compiler::ast::{FieldDefinition, Type};
use apollo_compiler::schema::ExtendedType;

use crate::support::schema;

/// Returns the fields of a type that can be requested; unions have none.
pub(super) fn fields(type_name: &str) -> Vec<&'static Node<FieldDefinition>> {
    let fields: Vec<_> = match schema().types.get(type_name) {
        Some(ExtendedType::Object(object)) => object.fields.values().collect(),
        Some(ExtendedType::Interface(interface)) => interface.fields.values().collect(),
        _ => Vec::new(),
    };
    let fields = fields.into_iter().map(|field| &field.node);
    fields
        // The values of these depend on the whole request.
        .filter(|field| !matches!(field.name.as_str(), "rateLimit" | "relatedTopics"))
        .collect()
}

pub(super) fn is_leaf(ty: &Type) -> bool {
    let known = schema().types.get(ty.inner_named_type());
    known.is_some_and(|known| known.is_scalar() || known.is_enum())
}

/// Returns whether a fragment on one type can be spread on the other.
pub(super) fn overlap(one: &str, other: &str) -> bool {
    let (one, other) = (possible(one), possible(other));
    one.intersection(other).next().is_some()
}

/// Returns types for fragments on this type: itself, its possible types and its interfaces.
pub(super) fn conditions(type_name: &str) -> &'static [&'static str] {
    &CONDITIONS[type_name]
}

fn possible(type_name: &str) -> &'static BTreeSet<&'static str> {
    &POSSIBLE[type_name]
}

/// Returns the object types that a value of a type can have.
static POSSIBLE: LazyLock<HashMap<&'static str, BTreeSet<&'static str>>> = LazyLock::new(|| {
    let implementers = schema().implementers_map();
    let all = schema().types.values();
    all.filter_map(|ty| {
        let possible: BTreeSet<&str> = match ty {
            ExtendedType::Object(object) => BTreeSet::from([object.name.as_str()]),
            ExtendedType::Union(union) => {
                union.members.iter().map(|member| member.as_str()).collect()
            }
            ExtendedType::Interface(interface) => schema()
                .types
                .values()
                .filter(|ty| {
                    implementers
                        .get(&interface.name)
                        .is_some_and(|known| known.objects.contains(ty.name()))
                })
                .map(|ty| ty.name().as_str())
                .collect(),
            _ => return None,
        };
        Some((ty.name().as_str(), possible))
    })
    .collect()
});

static CONDITIONS: LazyLock<HashMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    let known = POSSIBLE.iter().map(|(&name, objects)| {
        // Of the many types that are nodes, those that the simulator has.
        let common = [
            "Issue",
            "PullRequest",
            "User",
            "Repository",
            "Label",
            "Organization",
        ];
        let mut types = vec![name];
        types.extend(common.iter().filter(|object| objects.contains(*object)));
        types.extend(objects.iter().take(5));
        let mut counts_as: Vec<&str> = POSSIBLE
            .iter()
            .filter(|(_, others)| others.len() > 1 && !others.is_disjoint(objects))
            .map(|(&other, _)| other)
            .collect();
        counts_as.sort_unstable();
        types.extend(counts_as.into_iter().take(8));
        (name, types)
    });
    known.collect()
});
