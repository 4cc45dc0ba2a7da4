//! Placeholders in configuration files: `${NAME}`, `${env:NAME}` and `${NAME:-default}`.

use capstan_core::Secret;

use super::Environment;
use super::secrecy::secrets_of;

/// A text with its placeholders expanded, and the secrets that were inserted.
#[derive(Debug, Default)]
pub(super) struct Expanded {
    pub(super) text: String,
    pub(super) secrets: Vec<Secret>,
}

/// Expands placeholders. The error is the name of a variable that is not set.
pub(super) fn expand(text: &str, environment: &Environment) -> Result<Expanded, String> {
    let mut expanded = Expanded::default();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let Some((inside, after)) = after.split_once('}') else {
            break;
        };
        expanded.text.push_str(before);
        let (name, default) = match inside.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (inside, None),
        };
        let name = name.strip_prefix("env:").unwrap_or(name);
        let set = environment.get(name);
        let value = match default {
            // As in a shell, an empty variable counts as not set.
            Some(default) => set.filter(|value| !value.is_empty()).unwrap_or(default),
            None => set.ok_or_else(|| name.to_owned())?,
        };
        expanded.text.push_str(value);
        expanded.secrets.extend(secrets_of(name, value));
        rest = after;
    }
    expanded.text.push_str(rest);
    Ok(expanded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn environment() -> Environment {
        let variables = [("A", "1"), ("EMPTY", ""), ("API_KEY", "sesame-open")];
        Environment::new(variables.map(|(name, value)| (name.to_owned(), value.to_owned())))
    }

    fn text(text: &str) -> Result<String, String> {
        expand(text, &environment()).map(|expanded| expanded.text)
    }

    #[test]
    fn placeholders_are_filled_in() {
        for (given, expected) in [
            ("plain", "plain"),
            ("${A}", "1"),
            ("x${env:A}y${A}", "x1y1"),
            ("${B:-2}", "2"),
            ("${A:-2}", "1"),
            ("${EMPTY}", ""),
            ("${EMPTY:-2}", "2"),
            ("$A {A} ${", "$A {A} ${"),
        ] {
            assert_eq!(text(given).as_deref(), Ok(expected), "{given}");
        }
    }

    #[test]
    fn an_unknown_variable_is_named() {
        assert_eq!(text("${A}${NOPE}"), Err("NOPE".to_owned()));
        assert_eq!(text("${input:token}"), Err("input:token".to_owned()));
    }

    #[test]
    fn what_is_filled_in_is_not_looked_at_again() {
        let environment = Environment::new([("A".to_owned(), "${B}".to_owned())]);
        assert_eq!(expand("${A}", &environment).unwrap().text, "${B}");
    }

    #[test]
    fn secrets_are_noticed_on_their_way() {
        let expanded = expand("Bearer ${API_KEY} ${A}", &environment()).unwrap();
        assert_eq!(expanded.secrets, [Secret::new("sesame-open")]);
    }

    proptest! {
        #[test]
        fn a_text_without_placeholders_stays_as_it_is(given in "[^$]{0,40}") {
            prop_assert_eq!(text(&given), Ok(given));
        }
    }
}
