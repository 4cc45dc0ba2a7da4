//! What a person sees of relations and the graph, and what the help says.

use serde_json::json;

use super::support::{exec_and_name, ok};
use crate::cli::harness::{Place, timeless};
use crate::code::surface::{Surface as _, World};

const COUNT: &str =
    "return (await capstan.issue.list({owner: 'acme', repo: 'rocket'})).issues.length";

fn screen(world: &World, args: &[&str]) -> String {
    let (code, text) = world.place.screen(&[&["--demo"], args].concat());
    assert_eq!(code, 0, "{args:?}: {text}");
    world.place.anonymous(&text)
}

#[test]
fn a_relation_that_was_stated() {
    let _timeless = timeless();
    let world = World::demo();
    let add = ["dep", "add", "issue.close", "issue.view", "--type"];
    let mut all = screen(&world, &[&add[..], &["dependency"]].concat());
    all += &screen(&world, &["dep", "show", "issue.close", "issue.view"]);
    let weaker = ["sequence", "--source", "inferred"];
    all += &screen(&world, &[&add[..], &weaker].concat());
    insta::assert_snapshot!(all);
}

/// A plan that writes is shown, with what may be misread, and how it is accepted.
#[test]
fn a_plan_that_has_to_be_seen() {
    let world = World::demo();
    let mut all = String::new();
    for (intent, more) in [
        ("close issue 3 in acme/rocket", &[][..]),
        ("close issue 3 in acme/rocket", &["--accept"]),
        ("close issue 3 in acme/rocket tomorrow", &["--accept"]),
        ("comment on issue 3 in acme/rocket", &["--accept"]),
    ] {
        let args = [&["--demo", "suggest", intent], more].concat();
        let (code, text) = world.place.screen(&args);
        all += &format!("{}\n{text}exit {code}\n\n", args[1..].join(" "));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn what_is_cut_is_said() {
    let world = World::demo();
    let mut cli = world.cli();
    for (from, to) in [("issue.view", "issue.close"), ("pr.view", "issue.view")] {
        let input = json!({"from": from, "to": to, "type": "sequence"});
        ok(&cli.run("dep.add", &input));
    }
    let near = ["graph", "neighbors", "issue.view"];
    let whole = world.capstan(&near);
    assert_eq!(ok(&whole)["has_more"], false, "{whole}");
    let part = world.capstan(&[&near[..], &["--limit", "1"]].concat());
    assert_eq!(ok(&part)["has_more"], true, "{part}");
    let shown = ok(&part)["neighbors"].as_array().unwrap().len();
    assert_eq!(shown, 1, "{part}");
    assert!(!screen(&world, &near).contains("--limit"));
    let said = screen(&world, &[&near[..], &["--limit", "1"]].concat());
    assert!(said.contains("there are more: use --limit"), "{said}");
}

#[test]
fn observations_that_are_cut_are_said() {
    let world = World::demo();
    let mut cli = world.cli();
    exec_and_name(&mut cli, "how-many", "count issues", COUNT);
    for _ in 0..2 {
        ok(&cli.call("how-many", &json!({})));
    }
    let show = ["dep", "show", "how-many", "issue.list"];
    let whole = screen(&world, &show);
    assert!(!whole.contains("more"), "{whole}");
    let part = screen(&world, &[&show[..], &["--limit", "1"]].concat());
    assert!(part.contains("1 of 3; use --limit to see more"), "{part}");
}

#[test]
fn code_is_shown_by_its_name_and_told_by_its_full_name() {
    let world = World::demo();
    let mut cli = world.cli();
    let fqdn = exec_and_name(&mut cli, "how-many", "count issues", COUNT);
    for args in [
        &["dep", "list", "how-many"][..],
        &["dep", "show", "how-many", "issue.list"],
        &["graph", "snapshot"],
        &["graph", "path", "how-many", "issue.list"],
        &["graph", "neighbors", "issue.list"],
    ] {
        let said = screen(&world, args);
        assert!(said.contains("how-many"), "{args:?}: {said}");
        assert!(!said.contains(&fqdn), "{args:?}: {said}");
        let told = world.capstan(args).to_string();
        assert!(told.contains(&fqdn), "{args:?}: {told}");
    }
}

#[test]
fn help() {
    let place = Place::new();
    let mut all = String::new();
    for line in [
        "dep",
        "dep add",
        "dep list",
        "dep show",
        "dep rm",
        "dep forget",
        "graph",
        "graph snapshot",
        "graph path",
        "graph neighbors",
        "suggest",
        "serve",
    ] {
        all.push_str(&place.terminal(&format!("{line} --help")));
        all.push_str("\n=====\n");
    }
    insta::assert_snapshot!(all);
}
