//! The registry through the whole product: names, aliases, sharing, merging, moving elsewhere.

use serde_json::{Value, json};

use super::surface::{Surface, World};

fn register(surface: &mut dyn Surface, code: &str, name: &str) -> String {
    let ran = surface.exec(name, code, &json!({}));
    let fqdn = ran["meta"]["capability_fqdn"].as_str();
    let fqdn = fqdn.expect("it is registered").to_owned();
    let named = surface.run("cap.name", &json!({"capability": fqdn, "name": name}));
    assert_eq!(named["ok"], true, "{named}");
    fqdn
}

fn message(envelope: &Value) -> &str {
    envelope["error"]["message"].as_str().unwrap_or_default()
}

#[test]
fn names_that_cannot_be_given_are_refused_in_the_promised_words() {
    let world = World::demo();
    let mut cli = world.cli();
    register(&mut cli, "1", "one");
    register(&mut cli, "2", "two");
    let bad = cli.run(
        "cap.rename",
        &json!({"capability": "one", "name": "no spaces"}),
    );
    assert_eq!(bad["error"]["code"], "VALIDATION");
    assert_eq!(
        message(&bad),
        "Invalid capability name: \"no spaces\". Must be alphanumeric with underscores, hyphens, and colons only."
    );
    let taken = cli.run("cap.rename", &json!({"capability": "one", "name": "two"}));
    assert_eq!(taken["error"]["code"], "CONFLICT");
    assert_eq!(
        message(&taken),
        "Capability name 'two' already exists in scope local.default"
    );
    let taken = cli.run("cap.alias", &json!({"capability": "one", "alias": "two"}));
    assert_eq!(taken["error"]["code"], "CONFLICT");
    let again = cli.run("cap.name", &json!({"capability": "one", "name": "uno"}));
    assert_eq!(again["error"]["code"], "CONFLICT", "{again}");
    assert_eq!(
        again["error"]["details"]["mend"]["arguments"]["capability"],
        "cap.rename"
    );
}

#[test]
fn an_old_name_goes_on_to_work() {
    let world = World::demo();
    let mut cli = world.cli();
    register(&mut cli, "return args", "first");
    cli.run(
        "cap.rename",
        &json!({"capability": "first", "name": "second"}),
    );
    cli.run(
        "cap.alias",
        &json!({"capability": "second", "alias": "short"}),
    );
    for (name, warned) in [("second", false), ("first", true), ("short", true)] {
        let called = cli.call(name, &json!({"n": 1}));
        assert_eq!(called["data"], json!({"n": 1}), "{name}");
        assert_eq!(called["meta"]["warnings"].is_array(), warned, "{name}");
    }
    // Back again: the name that is in use is no alias of itself.
    let back = cli.run(
        "cap.rename",
        &json!({"capability": "second", "name": "first"}),
    );
    assert_eq!(back["data"]["name"], "first");
    let aliases = back["data"]["aliases"].as_array().unwrap();
    assert!(!aliases.contains(&json!("first")), "{aliases:?}");
    assert!(aliases.contains(&json!("second")), "{aliases:?}");
}

#[test]
fn two_that_call_the_same_become_one() {
    let world = World::demo();
    let mut cli = world.cli();
    let view = |n: u32| {
        format!(
            "await capstan.issue.view({{owner: 'acme', repo: 'rocket', issue_number: {n}}}); return {n}"
        )
    };
    register(&mut cli, &view(1), "one");
    register(&mut cli, &view(2), "two");
    register(&mut cli, "return 3", "three");
    cli.call("one", &json!({}));
    let refused = cli.run("cap.merge", &json!({"from": "three", "into": "two"}));
    assert_eq!(refused["error"]["code"], "VALIDATION", "{refused}");
    let itself = cli.run("cap.merge", &json!({"from": "two", "into": "two"}));
    assert_eq!(itself["ok"], false, "{itself}");
    let merged = cli.run("cap.merge", &json!({"from": "one", "into": "two"}));
    assert_eq!(merged["data"]["statistics"]["usage_count"], 3, "{merged}");
    let called = cli.call("one", &json!({}));
    assert_eq!(called["data"], 2, "{called}");
    assert!(
        called["meta"]["warnings"][0]
            .as_str()
            .unwrap()
            .contains("alias \"one\"")
    );
    let shown = cli.run("cap.show", &json!({"capability": "two"}));
    let history = shown["data"]["history"].as_array().unwrap();
    assert!(
        history.iter().any(|event| event["event"] == "merged"),
        "{history:?}"
    );
}

#[test]
fn what_is_exported_can_be_imported_elsewhere() {
    let here = World::demo();
    let mut cli = here.cli();
    register(&mut cli, "return (args.n ?? 1) * 2", "double");
    register(&mut cli, "return 1", "one");
    cli.run(
        "cap.alias",
        &json!({"capability": "double", "alias": "twice"}),
    );
    let exported = cli.run("cap.export", &json!({"glob": "double"}))["data"].clone();
    assert_eq!(exported["capabilities"].as_array().unwrap().len(), 1);

    let there = World::demo();
    let mut cli = there.cli();
    let imported = cli.run("cap.import", &exported);
    assert_eq!(
        imported["data"]["capabilities"][0]["known"], false,
        "{imported}"
    );
    assert_eq!(cli.call("double", &json!({"n": 21}))["data"], 42);
    assert_eq!(cli.call("twice", &json!({"n": 2}))["data"], 4);
    let again = cli.run("cap.import", &exported);
    assert_eq!(again["data"]["capabilities"][0]["known"], true, "{again}");

    // All or none.
    let mut bad = exported.clone();
    let broken = json!({"name": "broken", "intent": "x", "code": "return ("});
    bad["capabilities"].as_array_mut().unwrap().push(broken);
    bad["capabilities"][0]["name"] = json!("other");
    let refused = cli.run("cap.import", &bad);
    assert_eq!(refused["error"]["code"], "VALIDATION");
    assert!(message(&refused).contains("`capabilities.1`"), "{refused}");
    assert_eq!(cli.call("other", &json!({}))["ok"], false);
}

#[test]
fn what_is_deleted_is_gone() {
    let world = World::demo();
    let mut cli = world.cli();
    let fqdn = register(&mut cli, "return 7", "seven");
    let deleted = cli.run("cap.delete", &json!({"capability": "seven"}));
    assert_eq!(deleted["data"]["deleted"], fqdn.as_str());
    assert_eq!(
        message(&cli.call("seven", &json!({}))),
        "Capability not found: seven"
    );
    // The name is free again, and the code can come again.
    assert_eq!(register(&mut cli, "return 7", "seven"), fqdn);
}

/// Defaults decide what a write is addressed to.
#[test]
fn an_import_cannot_say_what_the_code_does_not() {
    let world = World::demo();
    let mut cli = world.cli();
    let code = "const { owner = 'acme', repo } = args; return { owner, repo }";
    let parameters = json!({"type": "object", "properties": {
        "owner": {"type": "string", "default": "evil-org"}, "repo": {"type": 5}}});
    let item = json!({"name": "who", "intent": "tell", "code": code, "parameters": parameters});
    let imported = cli.run("cap.import", &json!({"capabilities": [item]}));
    assert_eq!(imported["ok"], true, "{imported}");
    let called = cli.call("who", &json!({"repo": "rocket"}));
    assert_eq!(
        called["data"],
        json!({"owner": "acme", "repo": "rocket"}),
        "{called}"
    );
    assert_eq!(cli.call("who", &json!({}))["ok"], true);
}

/// `caps.then` would make a promise out of `caps`.
#[test]
fn a_name_that_code_could_not_call_is_given_by_nobody() {
    let world = World::demo();
    let mut cli = world.cli();
    register(&mut cli, "return 1", "one");
    for name in ["then", "toJSON"] {
        let item = json!({"name": name, "intent": "x", "code": "return 2"});
        let other = json!({"name": "two", "aliases": [name], "intent": "x", "code": "return 2"});
        for (action, input) in [
            ("cap.rename", json!({"capability": "one", "name": name})),
            ("cap.alias", json!({"capability": "one", "alias": name})),
            ("cap.import", json!({"capabilities": [item]})),
            ("cap.import", json!({"capabilities": [other]})),
        ] {
            let refused = cli.run(action, &input);
            assert_eq!(refused["error"]["code"], "VALIDATION", "{action}");
            let message = message(&refused);
            assert!(message.contains("choose another name"), "{message}");
        }
    }
}

#[test]
fn a_namespace_comes_from_cards_and_tools() {
    let world = World::demo();
    let mut cli = world.cli();
    register(&mut cli, "return 1", "one");
    let long = "x".repeat(80);
    for (code, namespace) in [
        (
            "await caps.one({}); await capstan.repo.view({owner: 'acme', repo: 'rocket'})"
                .to_owned(),
            "repo",
        ),
        ("await caps.one({})".to_owned(), "code"),
        (
            format!("if (args.never) await mcp.{long}.tool({{}}); return 5"),
            "code",
        ),
    ] {
        let ran = cli.exec("call", &code, &json!({}));
        let fqdn = ran["meta"]["capability_fqdn"].as_str().unwrap_or_default();
        assert_eq!(fqdn.split('.').nth(2), Some(namespace), "{ran}");
    }
}

#[test]
fn an_alias_that_is_used_inside_code_or_a_skill_warns_as_one_that_is_called() {
    let place = crate::cli::harness::Place::new();
    let skills = place.write(
        "skills.yaml",
        "id: doubled\nlevel: 3\ncomposes: [{skill: twice, inputs: {n: 4}}]\n",
    );
    let world = World::at(place, &["--demo", "--skills", skills.to_str().unwrap()]);
    let mut cli = world.cli();
    let made = cli.exec("double", "return args.n * 2", &json!({"n": 1}));
    let name = made["meta"]["capability_name"].clone();
    cli.run("cap.name", &json!({"capability": name, "name": "double"}));
    let alias = json!({"capability": "double", "alias": "twice"});
    assert_eq!(cli.run("cap.alias", &alias)["ok"], true);

    let warns = |answer: &Value| {
        assert_eq!(answer["ok"], true, "{answer}");
        let warnings = answer["meta"]["warnings"].as_array().unwrap();
        let of_alias = |it: &&Value| it.as_str().unwrap().contains("alias \"twice\"");
        assert_eq!(warnings.iter().filter(of_alias).count(), 1, "{answer}");
    };
    let code = "const a = await caps.twice({ n: 2 }); return a + (await caps.twice({ n: 3 }));";
    let mut mcp = world.mcp();
    let direct = mcp.exec("use the alias", code, &json!({}));
    warns(&direct);
    let by_name = direct["meta"]["capability_name"].as_str().unwrap();
    warns(&cli.call(by_name, &json!({})));
    warns(&cli.run("doubled", &json!({})));
    let steps = json!([{"task": by_name, "input": {}}, {"task": "repo.view", "input": {"owner": "acme", "repo": "rocket"}}]);
    let chain = mcp.server().execute(&json!({"steps": steps}));
    let warnings = chain["meta"]["warnings"].to_string();
    assert!(warnings.contains("alias \\\"twice\\\""), "{chain}");
}

#[test]
fn the_last_trace_is_found_through_every_door() {
    let world = World::demo();
    let mut mcp = world.mcp();
    let none = mcp.run("trace.show", &json!({"id": "last"}));
    assert_eq!(none["error"]["code"], "NOT_FOUND", "{none}");
    mcp.exec("the first", "return 1", &json!({}));
    mcp.exec("the second", "return 2", &json!({}));
    let shown = mcp.run("trace.show", &json!({"id": "last"}));
    assert_eq!(shown["data"]["intent"], "the second", "{shown}");
    let code = "return (await capstan.trace.show({ id: 'last' })).intent";
    assert_eq!(mcp.exec("look", code, &json!({}))["data"], "the second");
    let mut cli = world.cli();
    let shown = cli.run("trace.show", &json!({"id": "last"}));
    assert_eq!(shown["data"]["intent"], "look", "{shown}");
    let shown = world.capstan(&["trace", "show", "last"]);
    assert_eq!(shown["data"]["intent"], "look", "{shown}");
}
