//! Better error messages: the engine only says "not a function". The names are taken from the line
//! of the code on which the error happened.

use std::borrow::Cow;

use super::alternatives;

const NOT_A_FUNCTION: &str = "not a function";
const NOT_AN_OBJECT: &str = "Cannot convert undefined or null to object";
const NOT_DEFINED: &str = " is not defined";

/// Returns a better message for an error that a built-in function such as `map` threw.
pub(super) fn explain_native(message: &str, function: Option<&str>) -> Option<String> {
    let function = function?;
    match message {
        NOT_A_FUNCTION => Some(format!(
            "`{function}` was given something that is not a function"
        )),
        NOT_AN_OBJECT => Some(format!("`{function}` was given undefined or null")),
        _ => None,
    }
}

/// Returns a better message for an error at this column of the line, counted from 1 in bytes.
pub(super) fn explain_in_code(message: &str, line: &str, column: usize) -> Option<String> {
    let at = line.floor_char_boundary(column.saturating_sub(1));
    let (before, after) = line.split_at(at);
    if message == NOT_A_FUNCTION {
        return not_a_function(before, after);
    }
    if message == NOT_AN_OBJECT {
        return Some(
            "cannot take fields out of undefined or null: check the value right of `=`, or the \
             argument of the function"
                .to_owned(),
        );
    }
    if let Some(name) = message.strip_suffix(NOT_DEFINED) {
        return alternatives::for_global(name).map(|instead| format!("{message}: {instead}"));
    }
    let (property, value) = message
        .strip_prefix("cannot read property '")?
        .split_once("' of ")?;
    if property == "Symbol.iterator" {
        return Some(format!("{value} is not iterable"));
    }
    let owner = owner_of(property, after)?;
    Some(format!("{message}: `{owner}` is {value}"))
}

fn not_a_function(before: &str, after: &str) -> Option<String> {
    let callee = callee_after(before, after).or_else(|| callee_before(before))?;
    let (receiver, name) = match callee.rsplit_once('.') {
        Some((receiver, name)) => (Some(receiver.trim_end_matches('?')), name),
        None => (None, callee.as_ref()),
    };
    let mut message = format!("`{callee}` is not a function");
    if receiver == Some("globalThis")
        && let Some(instead) = alternatives::for_global(name)
    {
        message.push_str(&format!(": {instead}"));
    } else if let Some(receiver) = receiver {
        if let Some(near) = alternatives::similar_method(name) {
            message.push_str(&format!("; did you mean `{near}`?"));
        } else if alternatives::is_list_method(name) && !receiver.is_empty() {
            message.push_str(&format!(
                ": `{receiver}` is not a list; await the call that returns it, and use the field of \
                 its answer that holds the list"
            ));
        }
    }
    Some(message)
}

/// Returns what is called if the column is that of its last name: `issues.` and `fliter(x)`.
fn callee_after<'a>(before: &'a str, after: &'a str) -> Option<Cow<'a, str>> {
    let name = &after[..chain_length(after)];
    if name.is_empty() || name.starts_with(|it: char| it.is_ascii_digit()) {
        return None;
    }
    let mut rest = &after[name.len()..];
    let mut index = "";
    if rest.starts_with('[') {
        let end = rest.find(']')? + 1;
        (index, rest) = rest.split_at(end);
    }
    if !rest.starts_with(['(', '`']) && !rest.starts_with("?.(") {
        return None;
    }
    let receiver = &before[before.len() - chain_length_back(before)..];
    let receiver = if receiver.ends_with('.') {
        receiver
    } else {
        ""
    };
    Some(Cow::Owned(format!("{receiver}{name}{index}")))
}

/// Returns what is called if the column is that of its first argument.
fn callee_before(before: &str) -> Option<Cow<'_, str>> {
    let before = before.trim_end().strip_suffix('(')?;
    let before = before.strip_suffix("?.").unwrap_or(before);
    let callee = &before[before.len() - chain_length_back(before)..];
    (!callee.is_empty()).then_some(Cow::Borrowed(callee))
}

/// Returns the part of the chain at the start of the text to which the property belongs.
fn owner_of<'a>(property: &str, after: &'a str) -> Option<&'a str> {
    let chain = &after[..chain_length(after)];
    let mut end = 0;
    for part in chain.split('.') {
        if end > 0 && part == property {
            return Some(chain[..end - 1].trim_end_matches('?'));
        }
        end += part.len() + 1;
    }
    None
}

fn is_name_part(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$' | '.')
}

/// Returns the length of the names with dots between them at the start of the text.
fn chain_length(text: &str) -> usize {
    let end = text.find(|it: char| !is_name_part(it));
    end.unwrap_or(text.len())
}

/// Returns the same for the end of the text. The result of a call has no name: in `f(x).y` the name
/// is `y`.
fn chain_length_back(text: &str) -> usize {
    let start = text.char_indices().rev().find(|(_, it)| !is_name_part(*it));
    let start = start.map_or(0, |(at, it)| at + it.len_utf8());
    let chain = &text[start..];
    let is_nameless = text[..start].ends_with([')', ']']) && chain.starts_with('.');
    chain.len() - usize::from(is_nameless)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `|` marks the column in `line`.
    fn explain_marked(message: &str, line: &str) -> Option<String> {
        let at = line.find('|').unwrap();
        explain_in_code(message, &line.replace('|', ""), at + 1)
    }

    #[test]
    fn what_is_called_is_named() {
        for (line, expected) in [
            (
                "return issues.|fliter((x) => x);",
                "`issues.fliter` is not a function; did you mean `filter`?",
            ),
            ("return |f(1);", "`f` is not a function"),
            (
                "return |m[\"get-it\"]();",
                "`m[\"get-it\"]` is not a function",
            ),
            ("return a.b.c.|d(1);", "`a.b.c.d` is not a function"),
            (
                "return [1].map((x) => x).|fliter(1);",
                "`fliter` is not a function",
            ),
            (
                "return f(x).filter(|Boolean);",
                "`filter` is not a function",
            ),
            (
                "return globalThis.|fetch(x);",
                "`globalThis.fetch` is not a function: there is no network",
            ),
            (
                "return issues.|filter(x);",
                "`issues.filter` is not a function: `issues` is not a list",
            ),
            ("g(|h());", "`h` is not a function"),
        ] {
            let said = explain_marked(NOT_A_FUNCTION, line).unwrap();
            assert!(said.starts_with(expected), "{line}: {said}");
        }
        assert_eq!(explain_marked(NOT_A_FUNCTION, "return new |3();"), None);
    }

    #[test]
    fn what_is_undefined_is_named() {
        let message = "cannot read property 'y' of undefined";
        assert_eq!(
            explain_marked(message, "return |o.x.y.z();").unwrap(),
            format!("{message}: `o.x` is undefined")
        );
        assert_eq!(explain_marked(message, "return |o[1].y"), None);
        let iterator = "cannot read property 'Symbol.iterator' of null";
        assert_eq!(
            explain_marked(iterator, "|f(1)").unwrap(),
            "null is not iterable"
        );
    }

    #[test]
    fn what_is_not_there_has_an_alternative() {
        let said = explain_marked("fetch is not defined", "|fetch(x)").unwrap();
        assert!(
            said.starts_with("fetch is not defined: there is no network"),
            "{said}"
        );
        assert_eq!(explain_marked("isues is not defined", "|isues"), None);
    }
}
