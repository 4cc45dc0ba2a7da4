//! Parses references in a step of a chain, such as `"$issue.data.number"`.

use capstan_core::expr::{Expr, Root, Segment};
use serde_json::Value;

use super::leaves::{pointed, visit};

/// The longest reference, in bytes.
const MAX_BYTES: usize = 512;

/// A reference in an input.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Reference<'a> {
    /// The name or number of the step.
    pub(super) step: &'a str,
    /// The place in the step's output as a JSON pointer. `*` means every element of a list.
    pub(super) output: String,
    /// The place in the input as a JSON pointer.
    pub(super) input: String,
}

/// Returns all references in an input.
pub(super) fn references(input: &Value) -> Vec<Reference<'_>> {
    let mut found = Vec::new();
    visit(input, &mut |at, _, value| {
        let read = value.as_str().and_then(read);
        found.extend(read.map(|(step, output)| Reference {
            step,
            output,
            input: at.to_owned(),
        }));
    });
    found
}

/// Parses `$` NAME-OR-NUMBER `.data` PATH; `None` for every other text.
fn read(text: &str) -> Option<(&str, String)> {
    let rest = text.strip_prefix('$').filter(|it| it.len() <= MAX_BYTES)?;
    let (step, path) = rest.split_once('.')?;
    let is_name = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
    if step.is_empty() || !step.bytes().all(is_name) {
        return None;
    }
    let Ok(Expr::Path(path)) = Expr::parse(path) else {
        return None;
    };
    match path.segments.split_first() {
        Some((Segment::Key(first), rest)) if first == "data" && path.root == Root::This => {
            Some((step, rest.iter().map(segment).collect()))
        }
        _ => None,
    }
}

fn segment(segment: &Segment) -> String {
    match segment {
        Segment::Key(name) => pointed(name),
        Segment::Each => "/*".to_owned(),
        Segment::Index(index) => format!("/{index}"),
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn references_are_told_from_texts() {
        for (text, step, output) in [
            ("$0.data.id", "0", "/id"),
            ("$issue.data.rows[0].number", "issue", "/rows/0/number"),
            ("$1.data", "1", ""),
            ("$list-all.data.items[].id", "list-all", "/items/*/id"),
        ] {
            assert_eq!(read(text), Some((step, output.to_owned())), "{text}");
        }
        let long = format!("$0.data.{}", "a.".repeat(400));
        for text in [
            "$",
            "$5.00",
            "$HOME",
            "$HOME/x.y",
            "costs $0.data.id",
            "$0.data.id and more",
            "${issue.data}",
            "$issue",
            "$.data",
            "$$0.data.id",
            "$issue.number",
            &long,
            "",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
