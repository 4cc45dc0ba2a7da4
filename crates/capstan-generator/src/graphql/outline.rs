//! Builds the outline of a root field.

use capstan_catalog::outline::{Outline, snake_case};
use indexmap::IndexMap;
use serde_json::{Value, json};

use super::answer::add_answer;
use super::input::{Arguments, notation};
use super::lookup::resolved;
use super::operation::{RootField, deprecation_reason, is_required};
use super::projection::Projector;
use super::wording::description_of;
use crate::problem::Problem;
use crate::rules::lookup;

/// Arguments with which a list with pages is read backwards.
const BACKWARDS: [&str; 2] = ["last", "before"];
/// Arguments that say which page is read.
const PAGE: [&str; 2] = ["first", "after"];

pub(super) fn outline_of(
    root: RootField<'_>,
    projector: Projector<'_>,
) -> Result<Outline, Problem> {
    let rules = projector.rules;
    let arguments = Arguments::of(root, projector.schema, rules);
    let mut outline = Outline {
        description: description_of(root, rules)?,
        service: rules.service.clone(),
        call: call(root, arguments.is_in_input),
        source: root.name().to_owned(),
        ..Outline::default()
    };
    add_answer(&mut outline, root, projector);
    let mut inputs = Inputs::default();
    let mut lookups = Vec::new();
    for argument in &arguments.all {
        let name = argument.name.as_str();
        let ty = argument.ty.to_string();
        if outline.pages.is_some() && BACKWARDS.contains(&name) {
            continue;
        }
        if outline.pages.is_some() && PAGE.contains(&name) {
            // The default of the card says how many rows there are.
            outline.send.insert(name.to_owned(), ty);
        } else if let Some(found) = resolved(root, argument, rules)? {
            outline
                .send
                .insert(name.to_owned(), format!("{ty} = {}", found.value));
            lookups.push(found);
        } else {
            // Filled in below, once the names of the inputs of lookups are known.
            outline.send.insert(name.to_owned(), String::new());
        }
    }
    // What the mutation is about comes before what only it has in mind.
    lookups.sort_by_key(|found| found.is_renamed);
    for found in lookups {
        if outline.resolve.contains_key(&found.name) {
            let message = format!("two lookups are called `{}`: give one a `name`", found.name);
            return Err(Problem::new(root.name(), message));
        }
        inputs.looked_up += 1;
        for (input, notation) in found.inputs {
            inputs.add_shared(input, notation);
        }
        outline.resolve.insert(found.name, found.lookup);
    }
    for argument in &arguments.all {
        let name = argument.name.as_str();
        let Some(sent) = outline.send.get_mut(name).filter(|sent| sent.is_empty()) else {
            continue;
        };
        let usual = snake_case(name);
        let input = inputs.free_name(&usual);
        let is_required = is_required(argument);
        let notation = notation(&argument.ty, projector.schema, rules);
        *sent = if input == usual {
            argument.ty.to_string()
        } else {
            format!("{} = $input.{input}", argument.ty)
        };
        inputs.add(input, notation, is_required);
    }
    if inputs.looked_up > 1 && lookup(&rules.resolved, root.name()).is_none() {
        return Err(Problem::new(
            root.name(),
            "it looks up several ids: say in `resolved` of the rules which inputs name each",
        ));
    }
    if rules.service.is_none()
        && let Some(input) = inputs.renamed.first()
    {
        let message = format!("two inputs are called `{input}`: give one another name");
        return Err(Problem::new(root.name(), message));
    }
    outline.input = inputs.in_order();
    outline.deprecated = root
        .is_deprecated()
        .then(|| removal(root).map_or(json!(true), |date| json!(date)));
    Ok(outline)
}

fn call(root: RootField<'_>, is_in_input: bool) -> String {
    let argument = if is_in_input { "(input)" } else { "" };
    format!("{} {}{argument}", root.kind.keyword(), root.name())
}

/// Returns the date in `Removal on 2026-01-01 UTC.`, as GitHub writes it.
fn removal(root: RootField<'_>) -> Option<String> {
    let reason = deprecation_reason(root.field)?;
    let (_, after) = reason.split_once("Removal on ")?;
    let date = after.get(..10)?;
    let is_date = date.chars().enumerate().all(|(index, c)| match index {
        4 | 7 => c == '-',
        _ => c.is_ascii_digit(),
    });
    is_date.then(|| date.to_owned())
}

/// The inputs of an outline.
#[derive(Default)]
struct Inputs {
    /// Those that name what is looked up.
    shared: IndexMap<String, Value>,
    required: IndexMap<String, Value>,
    optional: IndexMap<String, Value>,
    looked_up: usize,
    /// Inputs whose name was taken.
    renamed: Vec<String>,
}

impl Inputs {
    /// Adds an input that several lookups may use. It is required if one of them requires it.
    fn add_shared(&mut self, name: String, notation: Value) {
        let required = name.strip_suffix('?').unwrap_or(&name).to_owned();
        if name == required {
            self.shared.shift_remove(&format!("{name}?"));
            self.shared.entry(name).or_insert(notation);
        } else if !self.shared.contains_key(&required) {
            self.shared.entry(name).or_insert(notation);
        }
    }

    fn is_shared(&self, name: &str) -> bool {
        self.shared.contains_key(name) || self.shared.contains_key(&format!("{name}?"))
    }

    fn has(&self, name: &str) -> bool {
        self.is_shared(name)
            || self.required.contains_key(name)
            || self.optional.contains_key(&format!("{name}?"))
    }

    /// Returns a name that no other input has.
    fn free_name(&mut self, usual: &str) -> String {
        if !self.has(usual) {
            return usual.to_owned();
        }
        self.renamed.push(usual.to_owned());
        let mut number = 2;
        loop {
            let name = format!("{usual}_{number}");
            if !self.has(&name) {
                return name;
            }
            number += 1;
        }
    }

    fn add(&mut self, name: String, notation: Value, is_required: bool) {
        if is_required {
            self.required.insert(name, notation);
        } else {
            self.optional.insert(format!("{name}?"), notation);
        }
    }

    /// Returns what names objects first, then what is required.
    fn in_order(self) -> IndexMap<String, Value> {
        let (first, last): (IndexMap<String, Value>, IndexMap<String, Value>) = self
            .shared
            .into_iter()
            .partition(|(name, _)| !name.ends_with('?'));
        let all = first.into_iter().chain(self.required).chain(last);
        all.chain(self.optional).collect()
    }
}
