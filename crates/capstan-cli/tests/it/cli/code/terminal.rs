//! What a person sees of `cap` and of the help.

use super::workshop::Workshop;
use crate::cli::harness::{Place, timeless};

#[test]
fn a_list() {
    let _timeless = timeless();
    let workshop = Workshop::new();
    workshop.json(&["exec", "-e", "1 + 1", "--intent", "add one and one"]);
    workshop.json(&["call", "double"]);
    let all = workshop.screen(&["cap", "list"]);
    let part = workshop.screen(&["cap", "list", "--limit", "1"]);
    let none = workshop.screen(&["cap", "list", "nothing*"]);
    insta::assert_snapshot!(format!("{all}\n{part}\n{none}"));
}

#[test]
fn one_in_full() {
    let _timeless = timeless();
    let workshop = Workshop::new();
    workshop.json(&["cap", "alias", "report", "issues"]);
    workshop.json(&["cap", "share", "report", "org"]);
    insta::assert_snapshot!(workshop.screen(&["cap", "show", "report"]));
}

#[test]
fn what_is_done_to_names() {
    let _timeless = timeless();
    let workshop = Workshop::new();
    workshop.learn("twofold", "double too", "return 2 * (args.n ?? 21)");
    workshop.json(&["exec", "-e", "'x'", "--intent", "say x"]);
    let unnamed = workshop.json(&["cap", "list", "--unnamed"]);
    let unnamed = unnamed["data"]["capabilities"][0]["name"].as_str().unwrap();
    let mut all = String::new();
    for args in [
        &["name", unnamed, "x"][..],
        &["name", "x", "y"],
        &["rename", "x", "y"],
        &["rename", "y", "y"],
        &["alias", "y", "z"],
        &["share", "y", "public"],
        &["lookup", "z"],
        &["merge", "twofold", "double"],
        &["merge", "double", "report"],
        &["delete", "y", "--yes"],
        &["export", "-o", "all.json"],
        &["import", "all.json"],
        &["lookup", "nothing"],
    ] {
        let words = args.join(" ");
        let said = workshop.screen(&[&["cap"], args].concat());
        all.push_str(&format!("> {words}\n{said}"));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn code_has_colours_where_they_are_wanted() {
    let workshop = Workshop::new();
    let show = ["--demo", "cap", "show", "report"];
    let (_, coloured) = workshop.place.raw_terminal(&show);
    for part in [
        "\u{1b}[35mconst\u{1b}[0m",
        "\u{1b}[32m\"acme\"\u{1b}[0m",
        "\u{1b}[2m// Which issues are there?\u{1b}[0m",
        "\u{1b}[36mcapstan.issue.view\u{1b}[0m",
    ] {
        assert!(coloured.contains(part), "{part:?} in {coloured:?}");
    }
    assert!(!workshop.place.run(&show).stdout.contains('\u{1b}'));
    let plain = Place::new().env("NO_COLOR", "1");
    let code = "const x = 'y'; x.z.a";
    let (_, said) = plain.raw_terminal(&["exec", "-e", code, "--intent", "fail"]);
    assert!(!said.contains('\u{1b}'), "{said:?}");
    assert!(said.contains("1 │ const x = 'y'; x.z.a"), "{said}");
}

#[test]
fn help() {
    let place = Place::new();
    let mut all = String::new();
    for line in [
        "exec",
        "call",
        "cap",
        "cap list",
        "cap show",
        "cap name",
        "cap rename",
        "cap alias",
        "cap share",
        "cap lookup",
        "cap merge",
        "cap delete",
        "cap export",
        "cap import",
        "trace",
        "trace list",
        "trace show",
        "trace prune",
        "list",
        "search",
        "explain",
    ] {
        all.push_str(&place.terminal(&format!("{line} --help")));
        all.push_str("\n=====\n");
    }
    insta::assert_snapshot!(all);
}
