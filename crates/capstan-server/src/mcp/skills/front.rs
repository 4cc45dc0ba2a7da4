//! The frontmatter of a `SKILL.md`: the same fields as JSON and as YAML.

use serde_json::{Map, Value, json};

/// What the Agent Skills specification allows.
const LONGEST_DESCRIPTION: usize = 1024;

pub(super) fn fields(name: &str, description: &str, metadata: Value) -> Map<String, Value> {
    let description: String = one_line(description)
        .chars()
        .take(LONGEST_DESCRIPTION)
        .collect();
    let mut fields = Map::new();
    fields.insert("name".to_owned(), json!(name));
    fields.insert("description".to_owned(), json!(description.trim_end()));
    fields.insert("metadata".to_owned(), metadata);
    fields
}

/// With the lines around it. Every text is quoted: a skill may be called `null`.
pub(super) fn yaml(fields: &Map<String, Value>) -> String {
    let mut lines = String::from("---\n");
    write(fields, "", &mut lines);
    lines.push_str("---\n");
    lines
}

/// A text without anything that would end a line or cannot be seen.
pub(super) fn one_line(text: &str) -> String {
    let shown = text.replace(|c: char| c.is_control() || steers(c), " ");
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether it changes the direction in which others are read.
fn steers(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn write(fields: &Map<String, Value>, indent: &str, lines: &mut String) {
    for (key, value) in fields {
        match value {
            Value::Object(inner) => {
                lines.push_str(&format!("{indent}{key}:\n"));
                write(inner, &format!("{indent}  "), lines);
            }
            Value::String(text) => lines.push_str(&format!("{indent}{key}: {}\n", quoted(text))),
            other => lines.push_str(&format!("{indent}{key}: {other}\n")),
        }
    }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            // Some readers end the frontmatter at any three of them.
            '-' if quoted.ends_with("--") => quoted.push_str("\\x2D"),
            c if is_printable(c) => quoted.push(c),
            c => quoted.push_str(&format!("\\U{:08X}", u32::from(c))),
        }
    }
    quoted.push('"');
    quoted
}

/// What YAML 1.1 and 1.2 both let stand inside of quotes, and do not fold.
fn is_printable(c: char) -> bool {
    let line_end = matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}');
    let unseen = c.is_control() || matches!(c, '\u{feff}' | '\u{fffe}' | '\u{ffff}');
    !line_end && !unseen
}

#[cfg(test)]
mod tests {
    use capstan_catalog::yaml::documents;
    use capstan_core::Source;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn both_forms_say_the_same(text in any::<String>(), version in any::<String>()) {
            let fields = fields("null", &format!("x{text}"), json!({"version": version}));
            let written = yaml(&fields);
            prop_assert_eq!(written.matches("---").count(), 2);
            let inside = written.trim_start_matches("---\n").trim_end_matches("---\n");
            let read = documents(&Source::new("SKILL.md", inside)).unwrap();
            prop_assert_eq!(read[0].to_json(), Value::Object(fields));
        }
    }

    #[test]
    fn texts_are_quoted() {
        assert_eq!(quoted("a: b # \"c\" \\"), r#""a: b # \"c\" \\""#);
        assert_eq!(quoted("a --- b ----"), r#""a --\x2D b --\x2D-""#);
        assert_eq!(
            quoted("x\u{feff}\u{2028}\u{7}"),
            r#""x\U0000FEFF\U00002028\U00000007""#
        );
    }

    #[test]
    fn descriptions_are_one_line_of_at_most_1024_characters() {
        let long = format!("first\nline {}", "ä".repeat(2000));
        let fields = fields("x", &long, json!({}));
        let text = fields["description"].as_str().unwrap();
        assert!(text.starts_with("first line ä"));
        assert_eq!(text.chars().count(), 1024);
    }
}
