//! Placeholders for values that only GitHub knows, for dry runs.

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use capstan_core::RouteRequest;
use capstan_core::expr::{Root, Segment};

use super::{Lookup, RouteScript};

/// Returns a placeholder for the result of a lookup (for one element if it fans out): every field that is read from it,
/// each with its own path as in `<$issue.id>`.
pub(super) fn stand_in(script: RouteScript<'_>, name: &str, lookup: Lookup<'_>) -> Value {
    let lookups = script.lookups();
    let others = lookups.iter().flat_map(|(_, lookup)| lookup.expressions());
    let expressions: Vec<_> = script.expressions().into_iter().chain(others).collect();
    let mut value = Value::Null;
    for path in expressions.iter().flat_map(|expr| expr.paths()) {
        if path.root == Root::Variable(name.to_owned()) {
            plant(&mut value, &path.segments, &format!("<{path}>"));
        }
    }
    match value {
        Value::Array(mut items) if lookup.each().is_some() => items.pop().unwrap_or(Value::Null),
        value => value,
    }
}

/// How a placeholder begins and ends in a path, where everything is encoded.
const ENCODED: [&str; 2] = ["%3C%24", "%3E"];

/// Makes the placeholders in the path of a request readable. Such a request is only shown, and never sent.
pub(super) fn make_readable(request: &mut RouteRequest) {
    match request {
        RouteRequest::Rest(request) => request.path = readable(&request.path),
        RouteRequest::Cli(request) => {
            for arg in &mut request.args {
                *arg = readable(arg);
            }
        }
        _ => {}
    }
}

fn readable(path: &str) -> String {
    let [start, end] = ENCODED;
    let mut text = String::new();
    let mut rest = path;
    while let Some(at) = rest.find(start) {
        let Some(length) = rest[at..].find(end) else {
            break;
        };
        let (before, after) = (at, at + length + end.len());
        text.push_str(&rest[..before]);
        text.push_str(&percent_decode_str(&rest[before..after]).decode_utf8_lossy());
        rest = &rest[after..];
    }
    text.push_str(rest);
    text
}

fn plant(value: &mut Value, segments: &[Segment], text: &str) {
    let Some((segment, rest)) = segments.split_first() else {
        *value = text.into();
        return;
    };
    match segment {
        Segment::Key(key) => {
            if !value.is_object() {
                *value = Value::Object(Map::new());
            }
            if let Some(fields) = value.as_object_mut() {
                plant(fields.entry(key.clone()).or_insert(Value::Null), rest, text);
            }
        }
        Segment::Each | Segment::Index(_) => {
            let mut item = value.get(0).cloned().unwrap_or(Value::Null);
            plant(&mut item, rest, text);
            *value = Value::Array(vec![item]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn placeholders_in_paths_are_readable() {
        for (path, shown) in [
            ("/a/%3C%24b%5B%5D.id%3E/c", "/a/<$b[].id>/c"),
            ("/%3C%24a%3E/%3C%24b%3E", "/<$a>/<$b>"),
            ("/a%20b/%3Cc%3E", "/a%20b/%3Cc%3E"),
            ("/%3C%24a", "/%3C%24a"),
        ] {
            assert_eq!(readable(path), shown);
        }
    }
}
