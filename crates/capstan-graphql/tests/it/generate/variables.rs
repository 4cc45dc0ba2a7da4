//! The variables of an operation: created where a value is needed, and reused.

use apollo_compiler::ast::Type;
use serde_json::{Map, Value, json};

use super::choices::Choices;
use super::literal::Literal;
use super::values::{Place, value};

#[derive(Debug, Default)]
pub(super) struct Variables {
    known: Vec<Variable>,
}

#[derive(Debug)]
struct Variable {
    name: String,
    ty: Type,
    default: Option<Literal>,
    /// `None` if the request leaves it out.
    value: Option<Value>,
    /// Whether it is a page size. Page sizes must be known and small, so they are not shared.
    is_page: bool,
}

impl Variables {
    /// Returns a variable for this place, if one is chosen.
    pub(super) fn offer(
        &mut self,
        choices: &mut Choices<'_>,
        ty: &Type,
        place: Place<'_>,
    ) -> Option<String> {
        choices
            .percent(30)
            .then(|| self.provide(choices, ty, place, false))
    }

    /// Returns a variable for a page size.
    pub(super) fn page(
        &mut self,
        choices: &mut Choices<'_>,
        ty: &Type,
        place: Place<'_>,
    ) -> String {
        self.provide(choices, ty, place, true)
    }

    /// Returns `($a: Int!, $b: [ID!] = [])`, or nothing.
    pub(super) fn definitions(&self) -> String {
        let definition = |variable: &Variable| {
            let default = variable.default.as_ref();
            let default = default.map_or_else(String::new, |it| format!(" = {}", it.graphql()));
            format!("${}: {}{default}", variable.name, variable.ty)
        };
        match self.known.as_slice() {
            [] => String::new(),
            known => {
                let all: Vec<String> = known.iter().map(definition).collect();
                format!("({})", all.join(", "))
            }
        }
    }

    pub(super) fn values(&self) -> Map<String, Value> {
        let given = self.known.iter().filter_map(|variable| {
            let value = variable.value.clone()?;
            Some((variable.name.clone(), value))
        });
        given.collect()
    }

    fn provide(
        &mut self,
        choices: &mut Choices<'_>,
        ty: &Type,
        place: Place<'_>,
        is_page: bool,
    ) -> String {
        let fits = |known: &&Variable| {
            let same = known.ty == *ty || known.ty == ty.clone().non_null();
            same && known.is_page == is_page
        };
        if choices.percent(40)
            && let Some(known) = self.known.iter().find(fits)
        {
            return known.name.clone();
        }
        let variable = self.invent(choices, ty, place, is_page);
        let name = variable.name.clone();
        self.known.push(variable);
        name
    }

    fn invent(
        &self,
        choices: &mut Choices<'_>,
        ty: &Type,
        place: Place<'_>,
        is_page: bool,
    ) -> Variable {
        let mut constant = || {
            let ty = ty.clone().non_null();
            value(choices, &ty, place, 2, &mut |_, _, _| None)
        };
        let (default, given) = (constant(), constant().json());
        // With a default, a nullable variable is valid in a place that requires a value.
        let (ty, default, value) = match (ty.is_non_null(), choices.below(6)) {
            (_, 0) => (ty.clone().non_null(), None, Some(given)),
            (_, 1) => (ty.clone().nullable(), Some(default), None),
            (_, 2) => (ty.clone().nullable(), Some(default), Some(given)),
            (_, 3) => (ty.clone().non_null(), Some(default), None),
            (false, 4) if !is_page => (ty.clone(), None, None),
            (false, 5) if !is_page => (ty.clone(), Some(default), Some(json!(null))),
            _ => (ty.clone(), None, Some(given)),
        };
        Variable {
            name: self.name(choices),
            ty,
            default,
            value,
            is_page,
        }
    }

    fn name(&self, choices: &mut Choices<'_>) -> String {
        let names = [
            "n", "first", "owner", "id", "a_0_n", "input", "viewer", "on",
        ];
        let name = (*choices.pick(&names)).to_owned();
        if self.known.iter().any(|known| known.name == name) {
            format!("{name}{}", self.known.len())
        } else {
            name
        }
    }
}
