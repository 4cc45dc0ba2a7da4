//! Derives the type of a GraphQL answer from a document's selections, through aliases and
//! fragments.

use std::collections::BTreeSet;

use apollo_compiler::ExecutableDocument;
use apollo_compiler::ast::Type;
use apollo_compiler::executable::{DirectiveList, Field, Operation, Selection, SelectionSet};
use indexmap::IndexMap;

use crate::places::ReadTracker;
use crate::schema::GithubSchema;
use crate::ty::{Absent, Kind, ObjectSource, Texts, Ty};

/// Returns the type of an operation's `data`.
pub(crate) fn answer_type(
    schema: &GithubSchema,
    document: &ExecutableDocument,
    operation: &Operation,
    places: &mut ReadTracker,
) -> Ty {
    let mut builder = Builder {
        schema,
        document,
        places,
    };
    let place = builder.places.add("", false);
    builder.object(&[&operation.selection_set], "", place)
}

struct Builder<'a> {
    schema: &'a GithubSchema,
    document: &'a ExecutableDocument,
    places: &'a mut ReadTracker,
}

/// One occurrence of a response key.
struct Occurrence<'d> {
    field: &'d Field,
    /// The name of the type that has the field.
    parent: &'d str,
    /// The object types on which it is selected; `None` means all.
    types: Option<BTreeSet<String>>,
    /// Whether it is under `@include` or `@skip`.
    optional: bool,
}

impl<'a> Builder<'a> {
    fn object(&mut self, sets: &[&'a SelectionSet], path: &str, place: usize) -> Ty {
        let mut keys: IndexMap<String, Vec<Occurrence<'a>>> = IndexMap::new();
        let mut all_types = BTreeSet::new();
        for set in sets {
            all_types.extend(self.schema.concrete(&set.ty));
            self.collect(set, None, false, &mut keys);
        }
        let mut fields = IndexMap::new();
        for (key, occurrences) in keys {
            let path = if path.is_empty() {
                key.clone()
            } else {
                format!("{path}.{key}")
            };
            let mut ty = self.field(&occurrences, &path);
            ty.absent = presence(&occurrences, place, &all_types);
            fields.insert(key, ty);
        }
        let mut object = Ty::object(ObjectSource::Selection, fields);
        object.place = Some(place);
        object
    }

    fn collect(
        &self,
        set: &'a SelectionSet,
        types: Option<&BTreeSet<String>>,
        optional: bool,
        keys: &mut IndexMap<String, Vec<Occurrence<'a>>>,
    ) {
        for selection in &set.selections {
            match selection {
                Selection::Field(field) => {
                    let occurrences = keys.entry(field.response_key().to_string()).or_default();
                    occurrences.push(Occurrence {
                        field,
                        parent: &set.ty,
                        types: types.cloned(),
                        optional: optional || is_optional(&field.directives),
                    });
                }
                Selection::InlineFragment(inline) => {
                    let types = self.narrowed(set, &inline.selection_set, types);
                    let optional = optional || is_optional(&inline.directives);
                    self.collect(&inline.selection_set, types.as_ref(), optional, keys);
                }
                Selection::FragmentSpread(spread) => {
                    if let Some(fragment) = self.document.fragments.get(&spread.fragment_name) {
                        let types = self.narrowed(set, &fragment.selection_set, types);
                        let optional = optional || is_optional(&spread.directives);
                        self.collect(&fragment.selection_set, types.as_ref(), optional, keys);
                    }
                }
            }
        }
    }

    /// Returns the types that remain inside a fragment; `None` if it excludes none.
    fn narrowed(
        &self,
        outside: &SelectionSet,
        inside: &SelectionSet,
        types: Option<&BTreeSet<String>>,
    ) -> Option<BTreeSet<String>> {
        let before = match types {
            Some(types) => types.clone(),
            None => self.schema.concrete(&outside.ty),
        };
        let inside = self.schema.concrete(&inside.ty);
        if types.is_none() && inside.is_superset(&before) {
            return None;
        }
        Some(before.intersection(&inside).cloned().collect())
    }

    fn field(&mut self, occurrences: &[Occurrence<'a>], path: &str) -> Ty {
        let mut merged: Option<Ty> = None;
        let sets: Vec<_> = occurrences
            .iter()
            .map(|occurrence| &occurrence.field.selection_set)
            .filter(|set| !set.is_empty())
            .collect();
        let place = self.places.add(path, sets.is_empty());
        if occurrences.iter().all(|at| at.field.name == "__typename") {
            // Selecting a type name costs nothing and is common, so it always counts as read.
            let names = occurrences
                .iter()
                .flat_map(|at| self.schema.concrete(at.parent));
            return Ty::from_kind(Kind::Text(Texts::These(names.collect())));
        }
        let object = (!sets.is_empty()).then(|| self.object(&sets, path, place));
        for occurrence in occurrences {
            let ty = occurrence.field.ty();
            let inner = match &object {
                Some(object) => object.clone(),
                None => Ty::from_kind(self.schema.leaf(ty.inner_named_type())),
            };
            let never_null = never_null(occurrence);
            let wrapped = wrap(ty, inner, never_null);
            merged = Some(match merged {
                // The fields below are the same, so only nullability can differ.
                Some(before) if object.is_some() => Ty {
                    null: before.null || wrapped.null,
                    ..before
                },
                Some(before) => before.or(wrapped),
                None => wrapped,
            });
        }
        let mut ty = merged.unwrap_or_else(Ty::any);
        ty.place = Some(place);
        ty
    }
}

/// Returns whether a field is never null, although GitHub declares it nullable: connections and
/// their `nodes` and `edges`. A null there comes with an error, which fails the call before anything
/// is read.
fn never_null(occurrence: &Occurrence<'_>) -> bool {
    let connection = |name: &str| name.ends_with("Connection");
    connection(occurrence.field.ty().inner_named_type())
        || (connection(occurrence.parent)
            && matches!(occurrence.field.name.as_str(), "nodes" | "edges"))
}

fn wrap(ty: &Type, inner: Ty, never_null: bool) -> Ty {
    let (mut wrapped, null) = match ty {
        Type::Named(_) => (inner, true),
        Type::NonNullNamed(_) => (inner, false),
        Type::List(element) => (Ty::list(wrap(element, inner, never_null)), true),
        Type::NonNullList(element) => (Ty::list(wrap(element, inner, never_null)), false),
    };
    wrapped.null = null && !never_null;
    wrapped
}

fn presence(occurrences: &[Occurrence<'_>], place: usize, of: &BTreeSet<String>) -> Absent {
    let certain: Vec<_> = occurrences.iter().filter(|at| !at.optional).collect();
    if certain.is_empty() {
        return Absent::Maybe;
    }
    let mut types = BTreeSet::new();
    for occurrence in certain {
        match &occurrence.types {
            None => return Absent::Never,
            Some(narrowed) => types.extend(narrowed.iter().cloned()),
        }
    }
    if types.is_superset(of) {
        return Absent::Never;
    }
    Absent::Unless {
        place,
        types,
        of: of.clone(),
    }
}

fn is_optional(directives: &DirectiveList) -> bool {
    directives.has("include") || directives.has("skip")
}
