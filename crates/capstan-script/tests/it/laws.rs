//! What holds for all programs.

use capstan_core::code::ScriptError;
use capstan_script::{SourceMap, read_uncalled as read};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

use crate::generate::{
    Naming, Program, Style, change_expression, change_statement, print, program,
};
use crate::support::{hash, script};

/// The same cases each time, so that a change of the code is what makes a test fail; others, and more,
/// where the environment asks for more (`PROPTEST_CASES=10000`).
fn config() -> Config {
    let usual = Config::default();
    let exploring = usual.cases > CASES;
    Config {
        cases: usual.cases.max(CASES),
        rng_seed: if exploring {
            usual.rng_seed
        } else {
            RngSeed::Fixed(SEED)
        },
        failure_persistence: None,
        ..usual
    }
}

const CASES: u32 = 2000;
const SEED: u64 = 7;

fn programs() -> impl Strategy<Value = Program> {
    prop::collection::vec(any::<u8>(), 0..200).prop_map(|bytes| program(&bytes))
}

fn layouts() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 1..60)
}

fn namings() -> impl Strategy<Value = Naming> {
    prop::sample::select(vec![
        Naming::Numbered,
        Naming::Levels,
        Naming::Shadowing,
        Naming::Odd,
    ])
}

fn styles() -> impl Strategy<Value = Style> {
    (namings(), layouts(), any::<[bool; 8]>()).prop_map(|(naming, layout, flags)| Style {
        naming,
        layout,
        single_quotes: flags[0],
        escapes: flags[1],
        types: flags[2],
        parentheses: flags[3],
        semicolons: flags[4],
        only_let: flags[5],
        shorthand: flags[6],
        brackets: flags[7],
    })
}

#[track_caller]
fn same(program: &Program, one: &Style, other: &Style) {
    let (one, other) = (print(program, one), print(program, other));
    assert_eq!(hash(&one), hash(&other), "\n{one}\n---\n{other}");
}

/// Without what tells the engine where statements begin, which is no part of the program.
fn without_marks(javascript: &str) -> String {
    let lines = javascript.split_inclusive('\n');
    lines.filter(|line| line.trim() != "1e9;").collect()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn white_space_and_comments_change_nothing(program in programs(), layout in layouts()) {
        same(&program, &Style::default(), &Style { layout, ..Style::default() });
    }

    #[test]
    fn spelling_changes_nothing(program in programs(), single_quotes: bool, escapes: bool, brackets: bool) {
        let style = Style { single_quotes, escapes, brackets, ..Style::default() };
        same(&program, &Style::default(), &style);
    }

    #[test]
    fn types_change_nothing(program in programs(), parentheses: bool) {
        same(&program, &Style::default(), &Style { types: true, parentheses, ..Style::default() });
    }

    #[test]
    fn semicolons_and_parentheses_change_nothing(program in programs(), parentheses: bool, only_let: bool) {
        let style = Style { semicolons: false, parentheses, only_let, ..Style::default() };
        same(&program, &Style::default(), &style);
    }

    #[test]
    fn names_of_locals_change_nothing(program in programs(), one in namings(), other in namings(), shorthand: bool) {
        let style = |naming| Style { naming, shorthand, ..Style::default() };
        same(&program, &style(one), &style(other));
    }

    #[test]
    fn style_changes_nothing(program in programs(), one in styles(), other in styles()) {
        same(&program, &one, &other);
    }

    #[test]
    fn another_expression_is_another_program(
        program in programs(), which: usize, how: usize, one in styles(), other in styles(),
    ) {
        if let Some(changed) = change_expression(&program, which, how) {
            let (one, other) = (print(&program, &one), print(&changed, &other));
            prop_assert_ne!(hash(&one), hash(&other), "\n{}\n---\n{}", one, other);
        }
    }

    #[test]
    fn another_statement_is_another_program(
        program in programs(), which: usize, how: usize, one in styles(), other in styles(),
    ) {
        if let Some(changed) = change_statement(&program, which, how) {
            let (one, other) = (print(&program, &one), print(&changed, &other));
            // Without its last statement it may end with what looks like an object, or call nothing.
            let is_cut_short = |error: &ScriptError| {
                error.message.contains("ends with a block") || error.message.contains("calls nothing")
            };
            if read(&other).is_err_and(|error| is_cut_short(&error)) {
                return Ok(());
            }
            prop_assert_ne!(hash(&one), hash(&other), "\n{}\n---\n{}", one, other);
        }
    }

    #[test]
    fn the_javascript_is_the_same_program(program in programs(), style in styles()) {
        let code = print(&program, &style);
        let first = script(&code);
        let unmarked = without_marks(&first.javascript);
        let second = match read(&unmarked) {
            Ok(second) => second,
            // A regular expression without the parentheses that it had.
            Err(error) if error.message.contains("the `/` after `}`") => return Ok(()),
            Err(error) => panic!("{error}\n{code}\n---\n{}", first.javascript),
        };
        prop_assert_eq!(&first.hash, &second.hash, "\n{}\n---\n{}", code, first.javascript);
        prop_assert_eq!(unmarked, without_marks(&second.javascript));
        prop_assert_eq!(first.calls, second.calls);
    }

    #[test]
    fn reading_twice_gives_the_same(program in programs(), style in styles()) {
        let code = print(&program, &style);
        prop_assert_eq!(script(&code), script(&code));
    }

    #[test]
    fn style_changes_no_calls_and_no_parameters(program in programs(), one in styles(), other in styles()) {
        let untyped = |style: &Style| Style { types: false, ..style.clone() };
        let (one, other) = (print(&program, &untyped(&one)), print(&program, &untyped(&other)));
        let (first, second) = (script(&one), script(&other));
        prop_assert_eq!(first.calls, second.calls, "\n{}\n---\n{}", one, other);
        prop_assert_eq!(first.parameters, second.parameters, "\n{}\n---\n{}", one, other);
    }

    #[test]
    fn every_throw_is_found_again(program in programs(), style in styles()) {
        let code = print(&program, &style);
        let script = script(&code);
        let places = SourceMap::parse(&script.source_map).unwrap();
        for number in 1.. {
            let Some(offset) = code.find(&format!("t{number}t")) else {
                break;
            };
            let line = code[..offset].replace("\r\n", "\n").matches('\n').count() + 1;
            let (index, printed) = script.javascript.lines().enumerate()
                .find(|(_, it)| it.contains(&format!("t{number}t"))).unwrap();
            for word in ["throw", "new", "Error"] {
                let column = printed.find(word).unwrap() + 1;
                let place = places.original(u32::try_from(index + 1).unwrap(), u32::try_from(column).unwrap());
                prop_assert_eq!(place.map(|it| it.line as usize), Some(line), "\n{}\n---\n{}", code, script.javascript);
            }
        }
    }

    #[test]
    fn broken_programs_are_refused_with_a_place_in_them(
        program in programs(), style in styles(), at: prop::sample::Index, cut in 0..9_usize, put in "[-(){}`'\"/*<>=!?:;.,\\\\$#@a1\n]{0,3}",
    ) {
        let code = print(&program, &style);
        let mut chars: Vec<char> = code.chars().collect();
        let start = at.index(chars.len());
        let end = (start + cut).min(chars.len());
        chars.splice(start..end, put.chars());
        let broken: String = chars.into_iter().collect();
        if let Err(error) = read(&broken)
            && let Some(place) = error.place
        {
            let lines = broken.replace("\r\n", "\n").replace('\r', "\n");
            let line = lines.split('\n').nth(place.line as usize - 1);
            prop_assert!(line.is_some_and(|it| it.chars().count() + 1 >= place.column as usize), "{:?} {}", error, broken);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        let _ = read(&text);
    }
}
