//! Compiles a card's other names, its form as a line, and the cards that it combines.

use indexmap::IndexMap;
use serde_json::{Map, Value};

use capstan_core::card::{CombinedStep, FlagMeaning, LineForm, OtherName};

use super::compiler::Compiler;
use crate::raw::{RawCard, RawCombinedStep, RawLine, RawName};

impl Compiler<'_> {
    /// Reports the routes of a card that cannot have any. `why` says why not.
    pub(super) fn refuse_routes(&mut self, raw: &RawCard, why: &str) {
        let given = [
            ("graphql", raw.graphql.is_some()),
            ("no_graphql", raw.no_graphql.is_some()),
            ("rest", raw.rest.is_some()),
            ("cli", raw.cli.is_some()),
        ];
        for (key, _) in given.into_iter().filter(|(_, is_given)| *is_given) {
            self.problem(
                &format!("/{key}"),
                format!("{why}, so it cannot have `{key}`"),
            );
        }
    }

    /// Reports what a card cannot have if its input is the request.
    pub(super) fn refuse_parts(&mut self, raw: &RawCard) {
        let given = [
            ("combine", !raw.combine.is_empty()),
            ("list", raw.list.is_some()),
            ("next", !raw.next.is_empty()),
        ];
        for (key, _) in given.into_iter().filter(|(_, is_given)| *is_given) {
            let message =
                format!("the input of the card is the request, so it cannot have `{key}`");
            self.problem(&format!("/{key}"), message);
        }
    }

    pub(super) fn combined_steps(&mut self, raw: &[RawCombinedStep]) -> Vec<CombinedStep> {
        let mut steps = Vec::new();
        for (index, raw) in raw.iter().enumerate() {
            steps.extend(self.combined_step(&format!("/combine/{index}"), raw));
        }
        steps
    }

    fn combined_step(&mut self, pointer: &str, raw: &RawCombinedStep) -> Option<CombinedStep> {
        let task = self.id(&format!("{pointer}/task"), &raw.task);
        let when = match &raw.when {
            Some(when) => Some(self.expr(&format!("{pointer}/when"), when)?),
            None => None,
        };
        let mut input = IndexMap::new();
        for (name, text) in &raw.input {
            let expr = self.expr(&format!("{pointer}/input/{name}"), text)?;
            input.insert(name.clone(), expr);
        }
        Some(CombinedStep {
            task: task?,
            when,
            input,
            says: raw.says.clone(),
        })
    }

    pub(super) fn line_form(&mut self, raw: &RawLine) -> LineForm {
        let mut flags = IndexMap::new();
        for (name, meaning) in &raw.flags {
            let meaning = match meaning {
                Value::String(input) => FlagMeaning::Input(input.clone()),
                Value::Object(sets) if !sets.is_empty() => FlagMeaning::Sets(sets.clone()),
                _ => {
                    self.problem_with_help(
                        &format!("/line/flags/{name}"),
                        "a flag gives one input, or sets several inputs to values",
                        "write `flag: input`, or `flag: { input: value }`",
                    );
                    continue;
                }
            };
            flags.insert(name.clone(), meaning);
        }
        LineForm {
            positional: raw.positional.clone(),
            flags,
            fields: raw.fields.clone(),
        }
    }

    pub(super) fn other_names(&mut self, raw: &[RawName]) -> Vec<OtherName> {
        let mut names = Vec::new();
        for (index, raw) in raw.iter().enumerate() {
            match other_name(raw) {
                Some(name) => names.push(name),
                None => self.problem_with_help(
                    &format!("/names/{index}"),
                    "expected a name",
                    "write a text, or `{ name: …, with: { input: value }, sets: { input: value }, single: [input] }`",
                ),
            }
        }
        names
    }
}

/// The keys that an entry of `names` may have.
const KEYS_OF_A_NAME: [&str; 4] = ["name", "with", "sets", "single"];

fn other_name(raw: &RawName) -> Option<OtherName> {
    match raw {
        Value::String(name) => Some(OtherName {
            name: name.clone(),
            with: Map::new(),
            sets: Map::new(),
            single: Vec::new(),
        }),
        Value::Object(fields) if fields.keys().all(|key| KEYS_OF_A_NAME.contains(&&**key)) => {
            let object = |key| match fields.get(key) {
                None => Some(Map::new()),
                Some(value) => value.as_object().cloned(),
            };
            Some(OtherName {
                name: fields.get("name")?.as_str()?.to_owned(),
                with: object("with")?,
                sets: object("sets")?,
                single: texts(fields.get("single"))?,
            })
        }
        _ => None,
    }
}

/// Reads a list of texts. A missing list is an empty one; anything else is `None`.
fn texts(value: Option<&Value>) -> Option<Vec<String>> {
    let Some(value) = value else {
        return Some(Vec::new());
    };
    let texts = value.as_array()?.iter();
    texts.map(|text| text.as_str().map(str::to_owned)).collect()
}
