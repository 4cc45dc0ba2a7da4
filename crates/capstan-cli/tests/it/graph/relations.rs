//! What somebody states, and what the graph shows of it.

use serde_json::json;

use super::support::{ok, on_both_surfaces};
use crate::code::surface::{Surface, World};

#[test]
fn relations_are_stated_listed_and_shown() {
    on_both_surfaces(|surface| {
        let add = |surface: &mut dyn Surface, from: &str, to: &str, kind: &str| {
            let said = surface.run("dep.add", &json!({"from": from, "to": to, "type": kind}));
            ok(&said).clone()
        };
        let made = add(surface, "issue.close", "issue.view", "dependency");
        assert_eq!(
            (&made["source"], &made["confidence"]),
            (&json!("manual"), &json!(1.0))
        );
        add(surface, "issue.view", "issue.list", "dependency");
        add(surface, "issue.list", "pr.list", "alternative");
        surface.restart();
        for (direction, expected) in [("from", 1), ("to", 1), ("both", 2)] {
            let input = json!({"capability": "issue.view", "direction": direction});
            let listed = surface.run("dep.list", &input);
            assert_eq!(ok(&listed)["total"], expected, "{listed}");
        }
        let path = surface.run(
            "graph.path",
            &json!({"from": "issue.close", "to": "pr.list"}),
        );
        assert_eq!(
            ok(&path)["path"],
            json!(["issue.close", "issue.view", "issue.list", "pr.list"])
        );
        let near = surface.run(
            "graph.neighbors",
            &json!({"capability": "issue.close", "depth": 2}),
        );
        let ids: Vec<_> = ok(&near)["neighbors"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["id"].as_str().unwrap())
            .collect();
        assert_eq!(ids, ["issue.view", "issue.list"]);
        let whole = surface.run("graph.snapshot", &json!({}));
        assert_eq!(ok(&whole)["total_edges"], 3, "{whole}");
        assert_eq!(ok(&whole)["total_nodes"], 4, "{whole}");
        let page = surface.run("graph.snapshot", &json!({"limit": 2}));
        let cursor = ok(&page)["next_cursor"].clone();
        let rest = surface.run("graph.snapshot", &json!({"limit": 2, "cursor": cursor}));
        assert_eq!(ok(&rest)["edges"].as_array().unwrap().len(), 1, "{rest}");
    });
}

/// A relation that was not found has ends that are there, or a name that is wrong.
#[test]
fn a_misspelt_end_of_a_relation_is_told_with_what_it_may_be() {
    on_both_surfaces(|surface| {
        for action in ["dep.show", "dep.update", "dep.remove"] {
            for (from, to) in [("issue.vew", "issue.list"), ("issue.list", "issue.vew")] {
                let said = surface.run(action, &json!({"from": from, "to": to}));
                let message = said["error"]["message"].as_str().unwrap();
                assert!(
                    message
                        .starts_with("there is no capability `issue.vew`; did you mean issue.view"),
                    "{action}: {said}"
                );
            }
            let said = surface.run(action, &json!({"from": "issue.view", "to": "issue.list"}));
            let message = said["error"]["message"].as_str().unwrap();
            assert!(
                message.starts_with("there is no relation"),
                "{action}: {said}"
            );
        }
    });
}

#[test]
fn what_makes_no_sense_is_refused_in_words() {
    on_both_surfaces(|surface| {
        let base = json!({"from": "issue.view", "to": "issue.list", "type": "contains"});
        let with = |field: &str, value: &str| {
            let mut input = base.clone();
            input[field] = value.into();
            input
        };
        for (input, code, says) in [
            (with("type", "likes"), "VALIDATION", "type"),
            (with("source", "rumour"), "VALIDATION", "source"),
            (with("to", "issue.view"), "VALIDATION", "itself"),
            (with("to", "issue.viw"), "NOT_FOUND", "issue.view"),
            (with("from", ""), "VALIDATION", "from"),
        ] {
            let answer = surface.run("dep.add", &input);
            assert_eq!(answer["error"]["code"], code, "{answer}");
            let message = answer["error"].to_string();
            assert!(message.contains(says), "{message}");
        }
        let nobody = surface.run("dep.forget", &json!({"capability": "issue.viw"}));
        assert_eq!(nobody["error"]["code"], "NOT_FOUND", "{nobody}");
        let cursor = surface.run("graph.snapshot", &json!({"cursor": "page 2"}));
        assert_eq!(cursor["error"]["code"], "VALIDATION", "{cursor}");
        let nowhere = surface.run(
            "graph.path",
            &json!({"from": "issue.view", "to": "pr.view"}),
        );
        assert_eq!(nowhere["error"]["code"], "NOT_FOUND", "{nowhere}");
        assert_eq!(ok(&surface.run("dep.list", &json!({})))["total"], 0);
    });
}

#[test]
fn what_contains_itself_is_warned_of_with_the_whole_way() {
    on_both_surfaces(|surface| {
        let ids = ["issue.list", "issue.view", "pr.view", "pr.list"];
        let mut warned = None;
        for (place, from) in ids.iter().enumerate() {
            let to = ids[(place + 1) % ids.len()];
            let said = surface.run(
                "dep.add",
                &json!({"from": from, "to": to, "type": "contains"}),
            );
            ok(&said);
            warned = said["meta"]["warnings"][0].as_str().map(str::to_owned);
            assert_eq!(warned.is_some(), place == 3, "{said}");
        }
        assert_eq!(
            warned.unwrap(),
            "this contains itself: pr.list → issue.list → issue.view → pr.view → pr.list"
        );
    });
}

/// What is shown is what is compared: nothing is less sure than it is said to be.
#[test]
fn relations_are_at_least_as_sure_as_they_are_shown() {
    let world = World::demo();
    let mut surface = world.mcp();
    let pair = json!({"from": "issue.close", "to": "issue.view"});
    for kind in ["contains", "sequence", "dependency", "alternative"] {
        for source in ["manual", "observed", "inferred", "template"] {
            let mut said = pair.clone();
            said["type"] = kind.into();
            said["source"] = source.into();
            let shown = surface.run("dep.add", &said);
            let least = json!({"min_confidence": ok(&shown)["confidence"]});
            let listed = surface.run("dep.list", &least);
            assert_eq!(ok(&listed)["total"], 1, "{shown} {listed}");
            // What is too weak is not held in memory at all.
            let is_held = least["min_confidence"].as_f64() > Some(0.3);
            let whole = surface.run("graph.snapshot", &least);
            assert_eq!(
                ok(&whole)["total_edges"],
                u64::from(is_held),
                "{shown} {whole}"
            );
            ok(&surface.run("dep.remove", &pair));
        }
    }
    drop(surface);
    let said = ["dep", "add", "issue.close", "issue.view"];
    let more = ["--type", "contains", "--source", "inferred"];
    ok(&world.capstan(&[&said[..], &more].concat()));
    for (least, expected) in [("0.56", 1), ("0.57", 0)] {
        let listed = world.capstan(&["dep", "list", "--min-confidence", least]);
        assert_eq!(ok(&listed)["total"], expected, "{listed}");
    }
}

/// A person sees words, a program sees JSON, and a picture is for Graphviz.
#[test]
fn the_command_line_shows_them() {
    let world = World::demo();
    let mut cli = world.cli();
    let input = json!({"from": "issue.close", "to": "issue.view", "type": "dependency"});
    ok(&cli.run("dep.add", &input));
    let listed = world.capstan(&["dep", "list", "issue.close", "--direction", "from"]);
    assert_eq!(ok(&listed)["dependencies"][0]["to"], "issue.view");
    let picture = world
        .place
        .run(&["--demo", "graph", "snapshot", "--format", "dot"]);
    let picture = picture.stdout;
    assert!(picture.starts_with("digraph capabilities {"), "{picture}");
    assert!(
        picture.contains("\"issue.close\" -> \"issue.view\""),
        "{picture}"
    );
    let read_only = world.also(&["--read-only"]);
    let refused = read_only.cli().run("dep.add", &input);
    assert_eq!(refused["error"]["code"], "POLICY", "{refused}");
}

#[test]
fn what_is_stated_and_not_taken_is_said() {
    on_both_surfaces(|surface| {
        let stated = json!({"from": "issue.list", "to": "issue.view", "type": "dependency"});
        let first = surface.run("dep.add", &stated);
        assert_eq!(first["meta"]["warnings"], json!(null), "{first}");
        let mut weaker = stated;
        weaker["type"] = "sequence".into();
        weaker["source"] = "inferred".into();
        let said = surface.run("dep.add", &weaker);
        assert_eq!(ok(&said)["type"], "dependency", "{said}");
        let warning = said["meta"]["warnings"][0].as_str().unwrap();
        let begins = "this stays dependency (manual), not sequence (inferred)";
        assert!(warning.starts_with(begins), "{warning}");
    });
}

/// What is declared becomes inferred by being seen, and observed by the third time; what was seen of another type
/// takes its place when it is as sure.
#[test]
fn templates_become_observed_and_are_ranked_by_evidence() {
    on_both_surfaces(|surface| {
        let add = |surface: &mut dyn Surface, to: &str, kind: &str, source: &str| {
            let input = json!({"from": "issue.close", "to": to, "type": kind, "source": source});
            let added = surface.run("dep.add", &input);
            let data = ok(&added);
            let get = |field: &str| data[field].as_str().unwrap().to_owned();
            (
                get("type"),
                get("source"),
                data["observed"].as_u64().unwrap(),
            )
        };
        let is = |found: (String, String, u64), kind: &str, source: &str, observed: u64| {
            assert_eq!(found, (kind.to_owned(), source.to_owned(), observed));
        };
        let kind = "dependency";
        is(
            add(surface, "issue.view", kind, "template"),
            kind,
            "template",
            1,
        );
        is(
            add(surface, "issue.view", kind, "inferred"),
            kind,
            "inferred",
            2,
        );
        is(
            add(surface, "issue.view", kind, "inferred"),
            kind,
            "observed",
            3,
        );
        is(
            add(surface, "issue.list", kind, "template"),
            kind,
            "template",
            1,
        );
        is(
            add(surface, "issue.list", kind, "observed"),
            kind,
            "observed",
            2,
        );
        // A sequence that was seen once is less sure than the declaration, a call is surer.
        is(
            add(surface, "pr.view", kind, "template"),
            kind,
            "template",
            1,
        );
        is(
            add(surface, "pr.view", "sequence", "inferred"),
            kind,
            "template",
            2,
        );
        is(
            add(surface, "pr.list", kind, "template"),
            kind,
            "template",
            1,
        );
        is(
            add(surface, "pr.list", "contains", "inferred"),
            "contains",
            "inferred",
            2,
        );
    });
}

/// `dep update` counts, and the third time makes observed.
#[test]
fn relations_are_counted_by_hand() {
    let world = World::demo();
    let ends = ["issue.close", "issue.view"];
    let dep = |args: &[&str]| world.capstan(&[&["dep"], args].concat());
    let missing = dep(&["update", ends[0], ends[1]]);
    assert_eq!(missing["error"]["code"], "NOT_FOUND", "{missing}");
    let message = missing["error"]["message"].as_str().unwrap();
    assert!(message.contains("dep.add"), "{message}");
    ok(&dep(&[
        "add",
        ends[0],
        ends[1],
        "--type",
        "dependency",
        "--source",
        "inferred",
    ]));
    let once = dep(&["update", ends[0], ends[1]]);
    assert_eq!(
        (&ok(&once)["observed"], &ok(&once)["source"]),
        (&json!(2), &json!("inferred"))
    );
    let more = dep(&["update", ends[0], ends[1], "--by", "4"]);
    assert_eq!(
        (&ok(&more)["observed"], &ok(&more)["source"]),
        (&json!(6), &json!("observed"))
    );
    for by in ["0", "1000001"] {
        let refused = dep(&["update", ends[0], ends[1], "--by", by]);
        assert_eq!(refused["error"]["code"], "VALIDATION", "{refused}");
    }
    let shown = dep(&["show", ends[0], ends[1]]);
    assert_eq!(ok(&shown)["observed"], 6);
}

/// `search --deps` tells what each hit depends on.
#[test]
fn search_tells_dependencies() {
    let world = World::demo();
    let bare = world.capstan(&["search", "close an issue", "--limit", "1", "--deps"]);
    assert_eq!(bare[0]["dependencies"], json!([]), "{bare}");
    ok(&world.capstan(&[
        "dep",
        "add",
        "issue.close",
        "issue.view",
        "--type",
        "dependency",
    ]));
    let found = world.capstan(&["search", "close an issue", "--limit", "1", "--deps"]);
    assert_eq!(found[0]["dependencies"], json!(["issue.view"]), "{found}");
    let without = world.capstan(&["search", "close an issue", "--limit", "1"]);
    assert!(without[0].get("dependencies").is_none(), "{without}");
}
