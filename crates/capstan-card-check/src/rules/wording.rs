//! Checks a card's other names and its form as a line: every word has exactly one meaning.

use serde_json::{Map, Value};

use capstan_core::card::{Card, FlagMeaning};

use crate::finding::{Finding, WORDING};

pub(crate) fn check(card: &Card) -> Vec<Finding> {
    let mut wording = Wording {
        card,
        findings: Vec::new(),
    };
    wording.positional();
    wording.flags();
    wording.names();
    wording.findings
}

struct Wording<'a> {
    card: &'a Card,
    findings: Vec<Finding>,
}

impl Wording<'_> {
    fn positional(&mut self) {
        for (index, name) in self.card.line.positional.iter().enumerate() {
            let pointer = format!("/line/positional/{index}");
            self.check_names_input(name, &pointer);
            let before = self.card.line.positional.iter().take(index);
            if before.into_iter().any(|other| other == name) {
                self.report(pointer, format!("`{name}` appears twice"));
            }
        }
    }

    fn flags(&mut self) {
        for (flag, meaning) in &self.card.line.flags {
            let pointer = format!("/line/flags/{flag}");
            let well_formed = flag.starts_with(|c: char| c.is_ascii_alphabetic())
                && flag
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
            if !well_formed {
                let message = "a flag is a letter, or letters, digits, hyphens and underscores";
                let finding = Finding::new(WORDING, pointer.clone(), message);
                let help = "write it without the hyphens in front";
                self.findings.push(finding.with_help(help));
            }
            if self.input(flag).is_some() || (flag.len() > 1 && self.input(&snake(flag)).is_some())
            {
                let message =
                    format!("`{flag}` is an input, so it cannot be a flag for another one");
                self.report(pointer.clone(), message);
            }
            match meaning {
                FlagMeaning::Input(name) => self.check_names_input(name, &pointer),
                FlagMeaning::Sets(values) => self.sets(values, &pointer),
            }
        }
    }

    fn sets(&mut self, values: &Map<String, Value>, pointer: &str) {
        for (name, value) in values {
            let pointer = format!("{pointer}/{name}");
            let Some(property) = self.input(name) else {
                self.check_names_input(name, &pointer);
                continue;
            };
            let mut schema = property.clone();
            // The property may refer to definitions, so they are added.
            if let (Value::Object(schema), Some(parts)) =
                (&mut schema, self.card.input_schema.get("$defs"))
            {
                schema.insert("$defs".to_owned(), parts.clone());
            }
            // An invalid schema is reported elsewhere.
            let Ok(validator) = jsonschema::draft202012::new(&schema) else {
                continue;
            };
            if let Err(error) = validator.validate(value) {
                self.report(
                    pointer,
                    format!("this value does not fit `{name}`: {error}"),
                );
            }
        }
    }

    fn names(&mut self) {
        let names = &self.card.names;
        for (index, name) in names.iter().enumerate() {
            let pointer = format!("/names/{index}");
            if name.name.trim().is_empty() || name.name == self.card.id.as_str() {
                self.report(pointer.clone(), "expected a name other than the card's id");
            }
            if names.iter().take(index).any(|other| other == name) {
                let message = format!("`{}` appears twice", name.name);
                self.report(pointer.clone(), message);
            }
            self.sets(&name.sets, &format!("{pointer}/sets"));
            for (place, input) in name.single.iter().enumerate() {
                self.check_names_input(input, &format!("{pointer}/single/{place}"));
            }
            for input in name.with.keys() {
                if self.input(input).is_some() {
                    let message = format!(
                        "`{input}` is an input, and `with` may only name fields that are not inputs"
                    );
                    self.report(format!("{pointer}/with/{input}"), message);
                }
            }
        }
    }

    fn check_names_input(&mut self, name: &str, pointer: &str) {
        if self.input(name).is_some() {
            return;
        }
        let known = self.card.input_schema.get("properties");
        let known = known.and_then(Value::as_object).into_iter().flatten();
        let known: Vec<_> = known.map(|(name, _)| name.as_str()).collect();
        let message = format!("the card has no input `{name}`");
        let finding = Finding::new(WORDING, pointer, message);
        let help = format!("it has {}", known.join(", "));
        self.findings.push(finding.with_help(help));
    }

    fn input(&self, name: &str) -> Option<&Value> {
        self.card.input_schema.get("properties")?.get(name)
    }

    fn report(&mut self, pointer: String, message: impl Into<String>) {
        self.findings.push(Finding::new(WORDING, pointer, message));
    }
}

/// Converts a flag to the spelling of inputs: `createdAt` and `created-at` become `created_at`.
/// Inputs are accepted in every spelling.
fn snake(flag: &str) -> String {
    let mut name = String::with_capacity(flag.len());
    let mut after_small = false;
    for c in flag.chars() {
        if c.is_ascii_uppercase() && after_small {
            name.push('_');
        }
        after_small = c.is_ascii_lowercase() || c.is_ascii_digit();
        match c {
            '-' => name.push('_'),
            c => name.push(c.to_ascii_lowercase()),
        }
    }
    name
}
