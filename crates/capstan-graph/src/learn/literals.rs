//! What stands in the text of code and skills: a value that the text has was not learned from a call.

use serde_json::Number;

use super::telling::Telling;

/// The texts of the code and skills that took part in an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literals {
    texts: Option<Vec<String>>,
}

impl Literals {
    /// Everything that ran is known by its text. None ran if there are no texts.
    pub fn of(texts: Vec<String>) -> Self {
        Self { texts: Some(texts) }
    }

    /// Something ran of which nobody knows what stands in it.
    pub fn unknown() -> Self {
        Self { texts: None }
    }

    pub(super) fn are_known(&self) -> bool {
        self.texts.is_some()
    }

    /// Whether a value stands in any of the texts, as a number or in a text. A value that also flowed is not told
    /// from one that did not: what is learned has to be sure.
    pub(super) fn contain(&self, value: Telling<'_>) -> bool {
        let mut texts = self.texts.iter().flatten();
        match value {
            Telling::Text(text) => {
                let escaped = serde_json::Value::from(text).to_string();
                let escaped = escaped.trim_matches('"');
                texts.any(|it| it.contains(text) || it.contains(escaped))
            }
            Telling::Number(number) | Telling::Small(number) => {
                texts.any(|it| has_number(it, number))
            }
        }
    }
}

/// Whether a number stands in a text by itself, not as a part of another number or of a name.
fn has_number(text: &str, number: &Number) -> bool {
    let number = number.to_string();
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut found = text.match_indices(&number);
    found.any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let mut behind = text[at + number.len()..].chars();
        let next = behind.next();
        let goes_on = next == Some('.') && behind.next().is_some_and(|c| c.is_ascii_digit());
        !before.is_some_and(|c| is_part(c) || c == '.') && !next.is_some_and(is_part) && !goes_on
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_and_texts_stand_by_themselves() {
        let literals = Literals::of(vec![
            r#"view({issue_number: 3, owner: "acme\"x"}); slice(0, 12.5); v1_40"#.to_owned(),
        ]);
        for (value, expected) in [
            (json!(3), true),
            (json!(12), false),
            (json!(5), false),
            (json!(40), false),
            (json!(12.5), true),
            (json!("acme\"x"), true),
            (json!("rocket"), false),
        ] {
            let telling = Telling::of(&value, None).unwrap();
            assert_eq!(literals.contain(telling), expected, "{value}");
        }
        assert!(!Literals::unknown().are_known());
    }
}
