//! Finding capabilities by words and by meaning.

use serde_json::{Value, json};

use super::support::{exec_and_name, ok};
use crate::cli::harness::Place;
use crate::code::surface::{Server, Surface as _, World};

fn found(world: &World, intent: &str) -> Vec<Value> {
    let rows = world.capstan(&["search", intent]);
    rows.as_array().unwrap().clone()
}

#[test]
fn exact_ids_and_names_come_first_and_say_so() {
    let world = World::demo();
    let listed = world.capstan(&["list"]);
    for row in listed.as_array().unwrap() {
        let id = row["id"].as_str().unwrap();
        let first = &found(&world, id)[0];
        assert_eq!(
            (&first["id"], &first["why"]),
            (&row["id"], &json!("its id"))
        );
    }
}

#[test]
fn typing_errors_are_forgiven() {
    let world = World::demo();
    for (intent, expected) in [
        ("megre a pull requst", "pr.merge"),
        ("isue.view", "issue.view"),
        ("close isseu", "issue.close"),
    ] {
        assert_eq!(found(&world, intent)[0]["id"], expected, "{intent}");
    }
}

#[test]
fn code_is_found_by_what_it_is_for_as_soon_as_it_is_there() {
    let world = World::demo();
    let mut mcp = world.mcp();
    let before = mcp
        .server()
        .tool("search", &json!({"intent": "how stale is our backlog"}));
    assert!(!before.to_string().contains("backlog-age"), "{before}");
    exec_and_name(
        &mut mcp,
        "backlog-age",
        "tell how stale the backlog is",
        "return { days: 3 };",
    );
    let after = mcp
        .server()
        .tool("search", &json!({"intent": "how stale is our backlog"}));
    let first = &after["structuredContent"]["capabilities"][0];
    assert_eq!(first["id"], "backlog-age", "{after}");
    // Renamed, it is found by both names; deleted, by none.
    let rename = json!({"capability": "backlog-age", "name": "age-of-backlog"});
    ok(&mcp.run("cap.rename", &rename));
    for name in ["age-of-backlog", "backlog-age"] {
        let found = mcp.server().tool("search", &json!({"intent": name}));
        let first = &found["structuredContent"]["capabilities"][0];
        assert_eq!(first["id"], "age-of-backlog", "{found}");
    }
    ok(&mcp.run("cap.delete", &json!({"capability": "age-of-backlog"})));
    let gone = mcp
        .server()
        .tool("search", &json!({"intent": "how stale is our backlog"}));
    assert!(!gone.to_string().contains("age-of-backlog"), "{gone}");
}

/// A name that is given on is that of whoever has it now, also to somebody who searched before.
#[test]
fn code_is_found_by_a_name_that_other_code_had() {
    let world = World::demo();
    let mut mcp = world.mcp();
    for (name, code) in [("one", "return 1"), ("two", "return 2")] {
        exec_and_name(&mut mcp, name, &format!("say {name}"), code);
    }
    let found = |server: &mut Server| -> Vec<String> {
        let found = server.tool("search", &json!({"intent": "one"}));
        let all = &found["structuredContent"]["capabilities"];
        let ids = all.as_array().unwrap().iter();
        ids.map(|it| it["id"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(found(mcp.server())[0], "one");
    ok(&mcp.run("cap.delete", &json!({"capability": "one"})));
    ok(&mcp.run("cap.rename", &json!({"capability": "two", "name": "one"})));
    let now = found(mcp.server());
    assert_eq!(now[0], "one", "{now:?}");
    assert!(!now.contains(&"two".to_owned()), "{now:?}");
}

#[test]
fn what_looks_for_nothing_or_nowhere_is_refused() {
    let place = Place::new();
    for (args, says) in [
        (&["search", ""][..], "say what you want to do"),
        (&["search", " ", ""], "say what you want to do"),
        (
            &["search", "close", "--limit", "0"],
            "expected a whole number of at least 1",
        ),
        (
            &["search", "close", "--domain", "nope"],
            "there is no domain `nope`: expected one of",
        ),
        (
            &["list", "nope"],
            "there is no domain `nope`: expected one of",
        ),
    ] {
        let ran = place.run(args);
        assert_eq!((ran.code, &*ran.stdout), (2, ""), "{args:?}: {ran:?}");
        assert!(ran.stderr.contains(says), "{args:?}: {ran:?}");
    }
    let nothing = place.run(&["search", "zzzz", "--domain", "issue", "--kind", "card"]);
    assert_eq!((nothing.code, &*nothing.stdout), (0, "[]\n"), "{nothing:?}");
}
