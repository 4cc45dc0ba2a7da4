//! What a document asks for: fields with fields in them.

use std::fmt;

use indexmap::IndexMap;

use super::place::{Place, PlaceStep};

/// Fields that are asked for together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Selection {
    /// What is asked of each field. The key is its name with its arguments.
    fields: IndexMap<String, Selection>,
    /// What is asked of values of a type.
    fragments: IndexMap<String, Selection>,
}

impl Selection {
    /// Asks for what is at a place.
    pub(super) fn add(&mut self, place: &Place) {
        self.add_steps(&place.steps);
    }

    fn add_steps(&mut self, steps: &[PlaceStep]) {
        let Some((first, rest)) = steps.split_first() else {
            return;
        };
        match first {
            PlaceStep::Field {
                name, arguments, ..
            } => {
                let key = match arguments {
                    Some(arguments) => format!("{name}({arguments})"),
                    None => name.clone(),
                };
                self.fields.entry(key).or_default().add_steps(rest);
            }
            PlaceStep::Types(types) => {
                for ty in types {
                    let fragment = self.fragments.entry(ty.clone()).or_default();
                    fragment.add_steps(rest);
                }
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.fragments.is_empty()
    }
}

/// Writes the fields in braces, in one line.
impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (name, inner) in &self.fields {
            write!(f, " {name}")?;
            if !inner.is_empty() {
                write!(f, " {inner}")?;
            }
        }
        for (ty, inner) in &self.fragments {
            write!(f, " ... on {ty} {inner}")?;
        }
        f.write_str(" }")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_share_what_they_have_in_common() {
        let mut selection = Selection::default();
        for place in [
            "issue.number",
            "issue.author.login",
            "issue.labels(first: 9).nodes[].name",
            "issue.subject.<Issue|PullRequest>.title",
            "issue.subject.<Issue>.state",
        ] {
            selection.add(&Place::parse(place).unwrap());
        }
        assert_eq!(
            selection.to_string(),
            "{ issue { number author { login } labels(first: 9) { nodes { name } } \
             subject { ... on Issue { title state } ... on PullRequest { title } } } }"
        );
    }
}
