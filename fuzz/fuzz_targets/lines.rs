//! Lines in `gh`'s words, whatever they are: they are cut, parsed and bound without a panic, a line stays one line, and
//! what was bound can be written as a line that means the same.

#![no_main]

use std::sync::LazyLock;

use capstan_catalog::Catalog;
use capstan_lines::{Defaults, parse, split, write};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

static CATALOG: LazyLock<Catalog> = LazyLock::new(|| Catalog::new(capstan_cards::CARDS));

fuzz_target!(|text: &str| {
    let Ok(lines) = split(text) else {
        return;
    };
    for line in lines {
        assert_eq!(split(&line).as_deref(), Ok([line.clone()].as_slice()));
        check(&line);
    }
});

fn check(text: &str) {
    let Ok(line) = parse(text) else {
        return;
    };
    let defaults = Defaults {
        repository: Some(("acme".to_owned(), "rocket".to_owned())),
    };
    for candidate in line.candidates() {
        let named = || Some(CATALOG.named(&candidate.name, &line.flag_values(candidate.words))?.0);
        let Some(card) = CATALOG.get(&candidate.name).ok().or_else(named) else {
            continue;
        };
        let Ok(bound) = line.bind(candidate.words, &card, &defaults) else {
            continue;
        };
        // A reference is written by its own form, which is not that of a text.
        if Value::Object(bound.input.clone()).to_string().contains('$') {
            continue;
        }
        let written = write(&card, &bound.input);
        let again = parse(&written).map(|line| line.bind(1, &card, &defaults));
        match again {
            Ok(Ok(again)) => assert_eq!(again.input, bound.input, "{text:?} is written {written:?}"),
            other => panic!("{text:?} is written {written:?}, which is {other:?}"),
        }
    }
}
