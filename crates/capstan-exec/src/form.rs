//! Forms and queries: lists and objects as pairs of names and values.

use capstan_core::RawBody;
use capstan_core::card::ListStyle;
use indexmap::IndexMap;
use serde_json::Value;
use url::form_urlencoded::Serializer;

/// Adds a value under a name to pairs. Null means an empty value.
pub(crate) fn add_pairs(
    pairs: &mut Vec<(String, String)>,
    name: &str,
    value: &Value,
    style: ListStyle,
) {
    match value {
        Value::Array(items) => match style {
            ListStyle::Commas if !items.iter().any(is_nested) => {
                let texts: Vec<_> = items.iter().map(text).collect();
                pairs.push((name.to_owned(), texts.join(",")));
            }
            ListStyle::Repeat if !items.iter().any(is_nested) => {
                pairs.extend(items.iter().map(|item| (name.to_owned(), text(item))));
            }
            _ => add_items(pairs, name, items),
        },
        Value::Object(fields) => {
            for (field, value) in fields {
                add_pairs(
                    pairs,
                    &format!("{name}[{field}]"),
                    value,
                    ListStyle::Brackets,
                );
            }
        }
        scalar => pairs.push((name.to_owned(), text(scalar))),
    }
}

/// Adds the items of a list. Those that are objects are numbered, so that their fields stay together.
fn add_items(pairs: &mut Vec<(String, String)>, name: &str, items: &[Value]) {
    let are_numbered = items.iter().any(is_nested);
    for (at, item) in items.iter().enumerate() {
        let name = if are_numbered {
            format!("{name}[{at}]")
        } else {
            format!("{name}[]")
        };
        add_pairs(pairs, &name, item, ListStyle::Brackets);
    }
}

fn is_nested(value: &Value) -> bool {
    value.is_array() || value.is_object()
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// Returns the body of a form. A body that is no object has no fields.
pub(crate) fn form_body(body: Option<&Value>, styles: &IndexMap<String, ListStyle>) -> RawBody {
    let mut pairs = Vec::new();
    for (name, value) in body.and_then(Value::as_object).into_iter().flatten() {
        let style = styles.get(name).copied().unwrap_or_default();
        add_pairs(&mut pairs, name, value, style);
    }
    let content = Serializer::new(String::new()).extend_pairs(pairs).finish();
    RawBody {
        media_type: RawBody::FORM.to_owned(),
        content: content.into_bytes().into(),
    }
}

#[cfg(test)]
mod tests {
    use capstan_core::card::ListStyle;
    use serde_json::{Value, json};

    use super::add_pairs;

    #[track_caller]
    fn check(value: &Value, style: ListStyle, expected: &[&str]) {
        let mut pairs = Vec::new();
        add_pairs(&mut pairs, "a", value, style);
        let shown: Vec<_> = pairs
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        assert_eq!(shown, expected, "{value} {style:?}");
    }

    #[test]
    fn lists_have_styles() {
        let list = json!(["x", 1, true, null]);
        check(&list, ListStyle::Repeat, &["a=x", "a=1", "a=true", "a="]);
        check(
            &list,
            ListStyle::Brackets,
            &["a[]=x", "a[]=1", "a[]=true", "a[]="],
        );
        check(&list, ListStyle::Commas, &["a=x,1,true,"]);
        for style in [ListStyle::Repeat, ListStyle::Brackets, ListStyle::Commas] {
            check(
                &json!([]),
                style,
                if style == ListStyle::Commas {
                    &["a="]
                } else {
                    &[]
                },
            );
            check(&json!("x,y"), style, &["a=x,y"]);
        }
    }

    #[test]
    fn objects_have_brackets_in_every_style() {
        let nested = json!({"b": {"c": 1}, "d": [1, 2], "e": [{"f": "g"}, {"f": "h"}]});
        let expected = [
            "a[b][c]=1",
            "a[d][]=1",
            "a[d][]=2",
            "a[e][0][f]=g",
            "a[e][1][f]=h",
        ];
        for style in [ListStyle::Repeat, ListStyle::Brackets, ListStyle::Commas] {
            check(&nested, style, &expected);
            check(&json!([{"b": 1}]), style, &["a[0][b]=1"]);
        }
    }
}
