//! Functions in objects in objects, as `capstan`, `mcp` and `caps` have them.

use indexmap::IndexMap;

use capstan_core::card::Card;

use super::schema::property_name;
use super::signature::FunctionTypes;

/// A function, an object, or both: `pr.review(…)` and `pr.review.list(…)`.
#[derive(Debug, Default)]
pub(super) struct Tree {
    function: Option<String>,
    below: IndexMap<String, Tree>,
}

impl Tree {
    /// Adds a capability; what is there first stays.
    pub(super) fn add(&mut self, names: &[String], card: &Card) {
        let place = names.iter().fold(self, |tree, name| {
            tree.below.entry(name.clone()).or_default()
        });
        place.function.get_or_insert_with(|| function(card));
    }

    /// The members of an object, a line each.
    pub(super) fn write(&self, depth: usize, text: &mut String) {
        let indent = "  ".repeat(depth);
        for (name, tree) in &self.below {
            let name = property_name(name);
            let (comment, type_) = match &tree.function {
                Some(function) => function.split_once('\n').unwrap_or(("", function)),
                None => ("", ""),
            };
            if !comment.is_empty() {
                text.push_str(&format!("{indent}{comment}\n"));
            }
            if tree.below.is_empty() {
                text.push_str(&format!("{indent}{name}: {type_};\n"));
                continue;
            }
            let and = if type_.is_empty() { "" } else { " & " };
            text.push_str(&format!("{indent}{name}: {type_}{and}{{\n"));
            tree.write(depth + 1, text);
            text.push_str(&format!("{indent}}};\n"));
        }
    }
}

/// A comment, and the type in the next line.
fn function(card: &Card) -> String {
    let FunctionTypes { input, output, row } = FunctionTypes::of(card);
    let result = if row.is_some() {
        "CapstanPage"
    } else {
        "CapstanResult"
    };
    let mut type_ = format!("(({input}, options?: CapstanOptions) => {result}<{output}>)");
    if let Some(row) = row {
        let input = input.trim_start_matches("input").trim_start_matches('?');
        let input = input.trim_start_matches(": ");
        type_.push_str(&format!(" & CapstanPages<{input}, {row}>"));
    }
    format!("/** {} */\n{type_}", comment(&card.description))
}

/// A description in one line that cannot end the comment that it stands in.
fn comment(text: &str) -> String {
    let line: Vec<_> = text.split_whitespace().collect();
    line.join(" ").replace("*/", "* /")
}
