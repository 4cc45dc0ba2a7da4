//! The places in the file of the properties that a schema describes.

use capstan_catalog::yaml::{Node, Tree};
use capstan_core::Span;

/// Properties at greater depth have the place of the nearest property around them.
const DEEPEST: usize = 8;

/// The span of each property, by its names from the root, joined with `/`. Elements of lists have no name in
/// it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places(Vec<(String, Span)>);

/// A segment of a path such as `user.id`, `items[].name`, `["odd name"]` or `[0]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PathSegment {
    Property(String),
    /// Any element of a list.
    Element,
    At(usize),
}

impl Places {
    /// Collects the places in a schema, as written in the file.
    pub(crate) fn from_schema(schema: &Node) -> Self {
        let mut places = Self::default();
        places.add(schema, "", DEEPEST);
        places
    }

    fn add(&mut self, schema: &Node, pointer: &str, depth: usize) {
        let Tree::Map(keywords) = &schema.tree else {
            return;
        };
        for keyword in keywords {
            match (keyword.key.as_str(), &keyword.value.tree) {
                _ if depth == 0 => {}
                ("properties", Tree::Map(properties)) => {
                    for property in properties {
                        let pointer = format!("{pointer}/{}", property.key);
                        self.0.push((pointer.clone(), property.key_span));
                        self.add(&property.value, &pointer, depth - 1);
                    }
                }
                ("items", Tree::Map(_)) => self.add(&keyword.value, pointer, depth - 1),
                _ => {}
            }
        }
    }

    /// Returns the place of the property at a path, or of the nearest known property around it.
    pub(crate) fn find(&self, path: &str) -> Option<Span> {
        let mut pointer = String::new();
        let mut found = None;
        for step in path_segments(path) {
            let PathSegment::Property(name) = step else {
                continue;
            };
            pointer = format!("{pointer}/{name}");
            match self.0.iter().find(|(known, _)| *known == pointer) {
                Some((_, span)) => found = Some(*span),
                None => break,
            }
        }
        found
    }
}

/// Parses the segments of a path, as far as it is well-formed.
pub(crate) fn path_segments(path: &str) -> Vec<PathSegment> {
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        rest = rest.strip_prefix('.').unwrap_or(rest);
        if let Some(inner) = rest.strip_prefix('[') {
            let mut values = serde_json::Deserializer::from_str(inner).into_iter();
            let (step, length) = match values.next() {
                Some(Ok(serde_json::Value::String(name))) => {
                    (PathSegment::Property(name), values.byte_offset())
                }
                Some(Ok(serde_json::Value::Number(index))) => {
                    let index = index.as_u64().and_then(|it| usize::try_from(it).ok());
                    (
                        PathSegment::At(index.unwrap_or_default()),
                        values.byte_offset(),
                    )
                }
                _ => (PathSegment::Element, 0),
            };
            let Some(after) = inner[length..].strip_prefix(']') else {
                return steps;
            };
            steps.push(step);
            rest = after;
            continue;
        }
        let end = rest.find(['.', '[']).unwrap_or(rest.len());
        steps.push(PathSegment::Property(rest[..end].to_owned()));
        rest = &rest[end..];
    }
    steps
}

/// Puts a name in front of a path.
pub(crate) fn within(name: &str, path: &str) -> String {
    if path.is_empty() || path.starts_with('[') {
        format!("{name}{path}")
    } else {
        format!("{name}.{path}")
    }
}

#[cfg(test)]
mod tests {
    use capstan_catalog::yaml::documents;
    use capstan_core::Source;

    use super::*;

    #[test]
    fn paths_are_read_as_they_are_written() {
        let property = |name: &str| PathSegment::Property(name.to_owned());
        for (path, expected) in [
            ("", vec![]),
            ("user.id", vec![property("user"), property("id")]),
            (
                "items[].a[0]",
                vec![
                    property("items"),
                    PathSegment::Element,
                    property("a"),
                    PathSegment::At(0),
                ],
            ),
            (
                r#"["odd].name"].x"#,
                vec![property("odd].name"), property("x")],
            ),
            ("[", vec![]),
        ] {
            assert_eq!(path_segments(path), expected, "{path}");
        }
    }

    #[test]
    fn the_deepest_known_part_is_the_place() {
        let text = "properties:\n  user:\n    properties: {id: {}}\n  list: {items: {properties: {a: {}}}}\n";
        let source = Source::new("a.yaml", text);
        let places = Places::from_schema(&documents(&source).unwrap()[0]);
        let at = |path: &str| places.find(path).map(|it| &text[it.start..it.end]);
        assert_eq!(at("user.id"), Some("id"));
        assert_eq!(at("user.name"), Some("user"));
        assert_eq!(at("list[].a.b"), Some("a"));
        assert_eq!(at("other"), None);
        assert_eq!(at(""), None);
    }
}
