//! Code, its results and its names come from anybody; none of them steers a terminal, and no secret
//! gets out. `without_colours` fails on every sequence that is not a colour.

use super::workshop::Workshop;
use crate::cli::harness::{Place, without_colours};
use crate::support::TOKEN;

const EVIL: &str = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}1A\u{8}\u{202e}x";

#[track_caller]
fn check(text: &str) {
    let plain = without_colours(text);
    let steers = |c: char| (c.is_control() && c != '\n' && c != '\t') || c == '\u{202e}';
    assert!(!plain.contains(steers), "{plain:?}");
}

#[test]
fn nothing_steers_the_terminal() {
    let workshop = Workshop::empty();
    let escaped = EVIL
        .chars()
        .map(|c| c.escape_unicode().to_string())
        .collect::<String>();
    let code = format!(
        "// {EVIL}
        console.log('{escaped}');
        const evil = '{escaped}', plain = `{EVIL}`;
        return args.fail ? evil.nothing.at.all : args.rows ? [{{ [evil]: evil }}] : {{ [evil]: [evil, {{ [evil]: evil }}] }}"
    );
    for inputs in [&[][..], &["rows=true"], &["fail=true"]] {
        let exec = ["--demo", "exec", "-e", &code, "--intent", EVIL, "--trace"];
        let (_, text) = workshop.place.raw_terminal(&[&exec[..], inputs].concat());
        check(&text);
    }
    let thrown = format!("throw new Error('{escaped}')");
    check(
        &workshop
            .place
            .raw_terminal(&["--demo", "exec", "-e", &thrown, "--intent", EVIL])
            .1,
    );
    let listed = workshop.json(&["cap", "list"]);
    let name = listed["data"]["capabilities"][0]["name"].as_str().unwrap();
    for args in [
        &["cap", "list"][..],
        &["cap", "show", name],
        &["cap", "lookup", EVIL],
        &["cap", "rename", name, EVIL],
        &["cap", "export"],
        &["trace", "list"],
        &["trace", "show", "last"],
        &["trace", "show", EVIL],
        &["call", name],
        &["call", name, "fail=true"],
        &["explain", name],
        &["explain", EVIL],
        &["list", "--kind", "code"],
        &["list", EVIL],
        &["search", EVIL],
    ] {
        let (_, text) = workshop.place.raw_terminal(&[&["--demo"], args].concat());
        check(&text);
    }
}

#[test]
fn a_token_in_code_is_not_shown() {
    let place = Place::new().env("GITHUB_TOKEN", TOKEN);
    let half = TOKEN.len() / 2;
    let (first, second) = TOKEN.split_at(half);
    let joined = format!("const token = '{first}' + '{second}'; console.log(token); token.no.no");
    let literal = format!("const token = '{TOKEN}'; token.no.no");
    for code in [&joined, &literal] {
        let args = ["exec", "-e", code, "--intent", "leak", "--trace"];
        for said in [place.raw_terminal(&args).1, place.run(&args).stdout] {
            assert!(!said.contains(TOKEN), "{said}");
        }
    }
    for args in [
        &["trace", "show", "last"][..],
        &["trace", "list"],
        &["cap", "list"],
    ] {
        assert!(!place.raw_terminal(args).1.contains(TOKEN));
        assert!(!place.run(args).stdout.contains(TOKEN));
    }
}
