//! The makers of the calls of an execution, and which values they can have read from a result.

use std::collections::BTreeMap;
use std::sync::Arc;

use capstan_core::code::Mentions;
use serde_json::{Number, Value};

use super::distinctive::DistinctiveValue;
use super::leaves::{Place, visit};

/// The code and skills that made calls, by the call within which they ran. `None` is the code that
/// came with the execution. The calls of a maker that is not listed teach no `dependency`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Makers(BTreeMap<Option<u32>, Arc<Maker>>);

#[derive(Clone, Debug, PartialEq)]
pub enum Maker {
    Code(Mentions),
    /// A skill, with the text of its file.
    Skill(String),
}

impl Makers {
    pub fn insert(&mut self, within: Option<u32>, maker: Arc<Maker>) {
        self.0.insert(within, maker);
    }

    pub(super) fn get(&self, within: Option<u32>) -> Option<&Maker> {
        self.0.get(&within).map(Arc::as_ref)
    }
}

impl Maker {
    /// Returns whether it reads the value at a place of an output, by its name.
    pub(super) fn reads(&self, output: &Place<'_>) -> bool {
        match (self, output.name) {
            (Self::Code(mentions), Some(name)) => mentions.reads.contains(name),
            (Self::Code(_), None) | (Self::Skill(_), _) => true,
        }
    }

    /// Returns whether a value that both have can have come from a place of an output to an input.
    pub(super) fn can_pass(&self, output: &Place<'_>, input: &Place<'_>) -> bool {
        self.reads(output) || (output.name == input.name && !self.sets(output))
    }

    /// Returns whether it sets a property of this name. If it does not, the property is in an input
    /// because a whole object was passed on.
    fn sets(&self, place: &Place<'_>) -> bool {
        match (self, place.name) {
            (Self::Code(mentions), Some(name)) => mentions.writes.contains(name),
            (Self::Code(_), None) | (Self::Skill(_), _) => false,
        }
    }

    /// Returns whether it has a value from elsewhere: its own, or in any form from its caller. Such
    /// a value may still have been passed on, but what is learned has to be certain.
    pub(super) fn has(&self, value: DistinctiveValue<'_>, given: Option<&Value>) -> bool {
        match self {
            Self::Code(mentions) => is_mentioned(value, mentions) || is_given(value, given),
            Self::Skill(text) => stands_in(value, text),
        }
    }
}

fn is_mentioned(value: DistinctiveValue<'_>, mentions: &Mentions) -> bool {
    let mut numbers = mentions.numbers.iter();
    let mut texts = mentions.texts.iter();
    numbers.any(|it| value.is_number(*it)) || texts.any(|it| stands_in_any_case(value, it))
}

/// Compares numbers in texts, texts in another case, and parts of longer texts such as addresses.
fn is_given(value: DistinctiveValue<'_>, given: Option<&Value>) -> bool {
    let mut found = false;
    if let Some(given) = given {
        visit(given, &mut |_, _, it| {
            let is_same = match it {
                Value::String(text) => stands_in_any_case(value, text),
                Value::Number(number) => {
                    number.as_f64().is_some_and(|it| value.is_number(it))
                        || stands_in(value, &number.to_string())
                }
                _ => false,
            };
            found |= is_same;
        });
    }
    found
}

/// Code often changes the case of texts: `"BUG".toLowerCase()`.
fn stands_in_any_case(value: DistinctiveValue<'_>, text: &str) -> bool {
    match value {
        DistinctiveValue::Text(value) => text.to_lowercase().contains(&value.to_lowercase()),
        DistinctiveValue::Number(_) | DistinctiveValue::Small(_) => stands_in(value, text),
    }
}

fn stands_in(value: DistinctiveValue<'_>, text: &str) -> bool {
    match value {
        DistinctiveValue::Text(value) => {
            let escaped = Value::from(value).to_string();
            let escaped = escaped.trim_matches('"');
            text.contains(value) || text.contains(escaped)
        }
        DistinctiveValue::Number(number) | DistinctiveValue::Small(number) => {
            has_number(text, number)
        }
    }
}

/// Returns whether a number is in a text by itself, and not as a part of another number or of a
/// name.
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
    fn numbers_and_texts_of_skills_stand_by_themselves() {
        let skill = Maker::Skill(
            r#"view({issue_number: 3, owner: "acme\"x"}); slice(0, 12.5); v1_40"#.to_owned(),
        );
        for (value, expected) in [
            (json!(3), true),
            (json!(12), false),
            (json!(5), false),
            (json!(40), false),
            (json!(12.5), true),
            (json!("acme\"x"), true),
            (json!("rocket"), false),
        ] {
            let telling = DistinctiveValue::from_value(&value, None).unwrap();
            assert_eq!(skill.has(telling, None), expected, "{value}");
        }
    }

    #[test]
    fn values_of_code_and_of_its_caller_are_compared_in_every_form() {
        let code = Maker::Code(Mentions {
            texts: ["FLIGHT-CRITICAL", "issues/7"].map(String::from).into(),
            numbers: vec![48.0],
            ..Mentions::default()
        });
        let given = json!({
            "n": "51", "url": "https://github.com/acme/rocket/issues/52", "of": [53.0], "name": "Acme",
        });
        for (value, expected) in [
            (json!(48), true),
            (json!(48.0), true),
            (json!(7), true),
            (json!("flight-critical"), true),
            (json!(51), true),
            (json!(52), true),
            (json!(53), true),
            (json!("acme/rocket"), true),
            (json!("ACME"), true),
            (json!(4), false),
            (json!(5), false),
            (json!("octocat"), false),
        ] {
            let telling = DistinctiveValue::from_value(&value, None).unwrap();
            assert_eq!(code.has(telling, Some(&given)), expected, "{value}");
        }
    }

    #[test]
    fn code_passes_on_what_it_reads_by_name_and_objects_as_they_are() {
        let code = Maker::Code(Mentions {
            reads: ["number"].map(String::from).into(),
            writes: ["issue_number", "title"].map(String::from).into(),
            ..Mentions::default()
        });
        let place = |name| Place {
            at: String::new(),
            name,
            above: None,
        };
        for (output, input, expected) in [
            (Some("number"), Some("issue_number"), true),
            (Some("id"), Some("issue_number"), false),
            (Some("id"), Some("id"), true),
            (Some("title"), Some("title"), false),
            (None, Some("id"), true),
            (Some("id"), None, false),
        ] {
            let can = code.can_pass(&place(output), &place(input));
            assert_eq!(can, expected, "{output:?} {input:?}");
            assert!(Maker::Skill(String::new()).can_pass(&place(output), &place(input)));
        }
    }
}
