//! Where the properties that a schema describes stand in the file.

use capstan_catalog::yaml::{Node, Tree};
use capstan_core::Span;

/// Deeper ones are found at what they are a part of.
const DEEPEST: usize = 8;

/// By the names on the way to each of them. Elements of lists have no names, and are left out of the way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places(Vec<(String, Span)>);

/// One step of a path such as `user.id`, `items[].name`, `["odd name"]`, `[0]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Property(String),
    /// Any element.
    Element,
    At(usize),
}

impl Places {
    /// Of a schema as it is written.
    pub(crate) fn of(schema: &Node) -> Self {
        let mut places = Self::default();
        places.add(schema, "", DEEPEST);
        places
    }

    fn add(&mut self, schema: &Node, way: &str, depth: usize) {
        let Tree::Map(keywords) = &schema.tree else {
            return;
        };
        for keyword in keywords {
            match (keyword.key.as_str(), &keyword.value.tree) {
                _ if depth == 0 => {}
                ("properties", Tree::Map(properties)) => {
                    for property in properties {
                        let way = format!("{way}/{}", property.key);
                        self.0.push((way.clone(), property.key_span));
                        self.add(&property.value, &way, depth - 1);
                    }
                }
                ("items", Tree::Map(_)) => self.add(&keyword.value, way, depth - 1),
                _ => {}
            }
        }
    }

    /// The place of what a path names, or of what that is a part of.
    pub(crate) fn find(&self, path: &str) -> Option<Span> {
        let mut way = String::new();
        let mut found = None;
        for step in steps(path) {
            let Step::Property(name) = step else {
                continue;
            };
            way = format!("{way}/{name}");
            match self.0.iter().find(|(known, _)| *known == way) {
                Some((_, span)) => found = Some(*span),
                None => break,
            }
        }
        found
    }
}

/// The steps of a path, as far as they can be read.
pub(crate) fn steps(path: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        rest = rest.strip_prefix('.').unwrap_or(rest);
        if let Some(inner) = rest.strip_prefix('[') {
            let mut values = serde_json::Deserializer::from_str(inner).into_iter();
            let (step, length) = match values.next() {
                Some(Ok(serde_json::Value::String(name))) => {
                    (Step::Property(name), values.byte_offset())
                }
                Some(Ok(serde_json::Value::Number(index))) => {
                    let index = index.as_u64().and_then(|it| usize::try_from(it).ok());
                    (Step::At(index.unwrap_or_default()), values.byte_offset())
                }
                _ => (Step::Element, 0),
            };
            let Some(after) = inner[length..].strip_prefix(']') else {
                return steps;
            };
            steps.push(step);
            rest = after;
            continue;
        }
        let end = rest.find(['.', '[']).unwrap_or(rest.len());
        steps.push(Step::Property(rest[..end].to_owned()));
        rest = &rest[end..];
    }
    steps
}

/// Puts a name before a path.
pub(crate) fn within(name: &str, path: &str) -> String {
    match path.is_empty() || path.starts_with('[') {
        true => format!("{name}{path}"),
        false => format!("{name}.{path}"),
    }
}

#[cfg(test)]
mod tests {
    use capstan_catalog::yaml::documents;
    use capstan_core::Source;

    use super::*;

    #[test]
    fn paths_are_read_as_they_are_written() {
        let property = |name: &str| Step::Property(name.to_owned());
        for (path, expected) in [
            ("", vec![]),
            ("user.id", vec![property("user"), property("id")]),
            (
                "items[].a[0]",
                vec![property("items"), Step::Element, property("a"), Step::At(0)],
            ),
            (
                r#"["odd].name"].x"#,
                vec![property("odd].name"), property("x")],
            ),
            ("[", vec![]),
        ] {
            assert_eq!(steps(path), expected, "{path}");
        }
    }

    #[test]
    fn the_deepest_known_part_is_the_place() {
        let text = "properties:\n  user:\n    properties: {id: {}}\n  list: {items: {properties: {a: {}}}}\n";
        let source = Source::new("a.yaml", text);
        let places = Places::of(&documents(&source).unwrap()[0]);
        let at = |path: &str| places.find(path).map(|it| &text[it.start..it.end]);
        assert_eq!(at("user.id"), Some("id"));
        assert_eq!(at("user.name"), Some("user"));
        assert_eq!(at("list[].a.b"), Some("a"));
        assert_eq!(at("other"), None);
        assert_eq!(at(""), None);
    }
}
