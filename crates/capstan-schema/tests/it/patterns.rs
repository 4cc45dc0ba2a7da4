//! Tests of patterns: they are read as other engines read them, or not at all.

use capstan_schema::{Schema, assignable};
use proptest::prelude::*;
use serde_json::json;

use crate::support::{config, no, yes};

/// Whether a text matches a pattern, as far as known.
fn passes(pattern: &str, text: &str) -> Option<bool> {
    let (given, needed) = (json!({"const": text}), json!({"pattern": pattern}));
    let not = json!({"not": {"pattern": pattern}});
    let fits = |to| assignable(Schema::new(&given), Schema::new(to)).is_ok();
    match (fits(&needed), fits(&not)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        (false, false) => None,
        (true, true) => unreachable!("{pattern} {text}"),
    }
}

/// Whether the judge can be trusted: it accepts `b` for `b+a?b+`, which needs two.
fn is_judged(pattern: &str) -> bool {
    pattern.matches('+').count() < 2
}

#[test]
fn names_as_cards_need_them() {
    let owner = "^[A-Za-z0-9][A-Za-z0-9_-]*$";
    assert_eq!(passes(owner, "acme"), Some(true));
    assert_eq!(passes(owner, "acme/rocket"), Some(false));
    assert_eq!(passes("^[0-9a-f]{7,40}$", "0123456"), Some(true));
    assert_eq!(passes("^[0-9a-f]{7,40}$", "012345"), Some(false));
    assert_eq!(
        passes("^(feat|fix)(\\(\\w+\\))?: .+$", "fix(core): a"),
        Some(true)
    );
    assert_eq!(passes("\\bfix\\b", "a fix here"), Some(true));
    assert_eq!(passes("\\bfix\\b", "prefix"), Some(false));
    assert_eq!(passes("b+a?b+", "b"), Some(false));
    assert_eq!(passes("(a)\\1", "aa"), None);
    assert_eq!(passes("^(?=a)", "a"), None);
    assert_eq!(passes("(", "("), None);
}

#[test]
fn patterns_as_reasons() {
    yes(
        json!({"type": "string", "pattern": "^a"}),
        json!({"pattern": "^a"}),
    );
    no(
        json!({"type": "string"}),
        json!({"pattern": "^a"}),
        "may not match the pattern \"^a\"",
    );
    no(
        json!({"const": "b"}),
        json!({"pattern": "^a"}),
        "gives \"b\", which does not pass `pattern: \"^a\"`",
    );
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn what_is_known_is_right(
        pattern in "[-ab\\[\\]^$.|*+?(){}0-2,\\\\dwWsbx:_é\n ]{0,12}", text in "[-ab02é_ \n$]{0,6}",
    ) {
        if let Some(known) = passes(&pattern, &text)
            && is_judged(&pattern)
            && let Ok(judge) = jsonschema::draft202012::new(&json!({"pattern": pattern}))
        {
            prop_assert_eq!(judge.is_valid(&json!(text)), known, "{:?} {:?}", pattern, text);
        }
    }

    #[test]
    fn well_formed_patterns_are_known(
        pattern in "\\^?((a|b|[ab0]|\\\\d|\\.|\\(a\\|b\\)|\\(\\?:ab\\)|\\[\\^a\\])(\\*|\\+|\\?|\\{1,2\\})?){0,4}\\$?", text in "[ab02 ]{0,6}",
    ) {
        if !is_judged(&pattern) {
            return Ok(());
        }
        let judge = jsonschema::draft202012::new(&json!({"pattern": pattern})).unwrap();
        prop_assert_eq!(passes(&pattern, &text), Some(judge.is_valid(&json!(text))), "{:?} {:?}", pattern, text);
    }
}
