//! A tree of nested objects with functions, for `capstan`, `mcp` and `caps`.

use indexmap::IndexMap;

use capstan_core::card::Card;

use super::schema::property_name;
use super::signature::FunctionTypes;

/// A function, an object, or both: `pr.review(…)` and `pr.review.list(…)`.
#[derive(Debug, Default)]
pub(super) struct Tree {
    function: Option<String>,
    children: IndexMap<String, Tree>,
}

impl Tree {
    /// Adds a capability. An existing function is kept.
    pub(super) fn add(&mut self, names: &[String], card: &Card) {
        let node = names.iter().fold(self, |tree, name| {
            tree.children.entry(name.clone()).or_default()
        });
        node.function.get_or_insert_with(|| function(card));
    }

    /// Writes the members of an object, one per line.
    pub(super) fn write(&self, depth: usize, text: &mut String) {
        let indent = "  ".repeat(depth);
        for (name, tree) in &self.children {
            let name = property_name(name);
            let (comment, type_) = match &tree.function {
                Some(function) => function.split_once('\n').unwrap_or(("", function)),
                None => ("", ""),
            };
            if !comment.is_empty() {
                text.push_str(&format!("{indent}{comment}\n"));
            }
            if tree.children.is_empty() {
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

/// Returns a comment, and the type on the next line.
fn function(card: &Card) -> String {
    let FunctionTypes { input, output, row } = FunctionTypes::from_card(card);
    let result = if row.is_some() {
        "CapstanPage"
    } else {
        "CapstanResult"
    };
    let mut type_ = format!("(({input}, options?: CapstanOptions) => {result}<{output}>)");
    if let Some(row) = row {
        let input_type = input.trim_start_matches("input").trim_start_matches('?');
        let input_type = input_type.trim_start_matches(": ");
        type_.push_str(&format!(" & CapstanPages<{input_type}, {row}>"));
    }
    format!("/** {} */\n{type_}", comment(&card.description))
}

/// Returns a description in one line that cannot close the comment around it.
fn comment(text: &str) -> String {
    let line: Vec<_> = text.split_whitespace().collect();
    line.join(" ").replace("*/", "* /")
}
