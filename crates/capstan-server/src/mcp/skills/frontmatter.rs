//! The frontmatter of a `SKILL.md`, as JSON fields and as YAML.

use serde_json::{Map, Value, json};

/// The longest description that the Agent Skills specification allows, in characters.
const MAX_DESCRIPTION_CHARS: usize = 1024;

/// Returns the fields. A longer description is cut at [`MAX_DESCRIPTION_CHARS`].
pub(super) fn fields(name: &str, description: &str, metadata: Value) -> Map<String, Value> {
    let short: String = one_line(description)
        .chars()
        .take(MAX_DESCRIPTION_CHARS)
        .collect();
    let mut fields = Map::new();
    fields.insert("name".to_owned(), json!(name));
    fields.insert("description".to_owned(), json!(short.trim_end()));
    fields.insert("metadata".to_owned(), metadata);
    fields
}

/// Returns the fields as YAML between two `---` lines. Every text is quoted, because a skill may have a name
/// such as `null`.
pub(super) fn to_yaml(fields: &Map<String, Value>) -> String {
    let mut lines = String::from("---\n");
    write_fields(fields, "", &mut lines);
    lines.push_str("---\n");
    lines
}

/// Replaces line ends, control characters and runs of white space by single spaces.
pub(super) fn one_line(text: &str) -> String {
    let shown = text.replace(|c: char| c.is_control() || is_bidi_control(c), " ");
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns whether a character changes the direction of the text around it.
fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn write_fields(fields: &Map<String, Value>, indent: &str, lines: &mut String) {
    for (key, value) in fields {
        match value {
            Value::Object(inner) => {
                lines.push_str(&format!("{indent}{key}:\n"));
                write_fields(inner, &format!("{indent}  "), lines);
            }
            Value::String(text) => lines.push_str(&format!("{indent}{key}: {}\n", quote(text))),
            other => lines.push_str(&format!("{indent}{key}: {other}\n")),
        }
    }
}

/// Returns the text as a double-quoted YAML scalar.
fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            // Some parsers end the frontmatter at any three hyphens.
            '-' if quoted.ends_with("--") => quoted.push_str("\\x2D"),
            c if is_printable(c) => quoted.push(c),
            c => quoted.push_str(&format!("\\U{:08X}", u32::from(c))),
        }
    }
    quoted.push('"');
    quoted
}

/// Returns whether YAML 1.1 and 1.2 both keep the character unchanged inside double quotes.
fn is_printable(c: char) -> bool {
    let is_line_end = matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}');
    let is_invisible = c.is_control() || matches!(c, '\u{feff}' | '\u{fffe}' | '\u{ffff}');
    !is_line_end && !is_invisible
}

#[cfg(test)]
mod tests {
    use capstan_catalog::yaml::documents;
    use capstan_core::Source;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn yaml_and_json_have_the_same_content(text in any::<String>(), version in any::<String>()) {
            let fields = fields("null", &format!("x{text}"), json!({"version": version}));
            let written = to_yaml(&fields);
            prop_assert_eq!(written.matches("---").count(), 2);
            let inside = written.trim_start_matches("---\n").trim_end_matches("---\n");
            let read = documents(&Source::new("SKILL.md", inside)).unwrap();
            prop_assert_eq!(read[0].to_json(), Value::Object(fields));
        }
    }

    #[test]
    fn quotes_special_characters() {
        assert_eq!(quote("a: b # \"c\" \\"), r#""a: b # \"c\" \\""#);
        assert_eq!(quote("a --- b ----"), r#""a --\x2D b --\x2D-""#);
        assert_eq!(
            quote("x\u{feff}\u{2028}\u{7}"),
            r#""x\U0000FEFF\U00002028\U00000007""#
        );
    }

    #[test]
    fn descriptions_have_one_line_and_at_most_1024_characters() {
        let long = format!("first\nline {}", "ä".repeat(2000));
        let fields = fields("x", &long, json!({}));
        let text = fields["description"].as_str().unwrap();
        assert!(text.starts_with("first line ä"));
        assert_eq!(text.chars().count(), 1024);
    }
}
