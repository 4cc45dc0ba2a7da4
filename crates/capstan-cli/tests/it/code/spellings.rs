//! Whatever a capability is called by: what is denied is denied by every name, and no name means two things.

use serde_json::{Value, json};

use super::surface::{Surface, World};

/// Code that ran, and is called `second` now and `first` formerly. Gives its full name.
fn registered(world: &World) -> String {
    let mut cli = world.cli();
    let view = "return (await capstan.issue.view(args)).number";
    let ran = cli.exec("look", view, &issue());
    let fqdn = ran["meta"]["capability_fqdn"].as_str().unwrap().to_owned();
    cli.run("cap.name", &json!({"capability": fqdn, "name": "first"}));
    let renamed = json!({"capability": "first", "name": "second"});
    assert_eq!(cli.run("cap.rename", &renamed)["ok"], true);
    fqdn
}

fn issue() -> Value {
    json!({"owner": "acme", "repo": "rocket", "issue_number": 1})
}

fn with_policy(world: &World, policy: &str) -> World {
    let file = world
        .place
        .write("policy.toml", format!("[policy]\n{policy}\n"));
    world.also(&["--config", file.to_str().unwrap()])
}

/// Whether each way in refuses each spelling.
fn denied_everywhere(world: &World, spellings: &[String], input: &Value) {
    let mut server = world.server();
    for name in spellings {
        let alone = world.cli().run(name, input);
        assert_eq!(alone["error"]["code"], "POLICY", "run {name}: {alone}");
        let over_mcp = server.execute(&json!({"capability": name, "input": input}));
        assert_eq!(
            over_mcp["error"]["code"], "POLICY",
            "MCP {name}: {over_mcp}"
        );
        let steps =
            json!({"steps": [{"task": name, "input": input}, {"task": "cap.list", "input": {}}]});
        let chained = server.execute(&steps);
        let code = &chained["results"][0]["error"]["code"];
        assert_eq!(*code, "POLICY", "chain {name}: {chained}");
        let code = "try { return await caps[args.name](args.input) } catch (e) { return e.code }";
        let args = json!({"name": name, "input": input});
        let called = server.execute(&json!({"intent": "try it", "code": code, "args": args}));
        assert_eq!(called["data"], "POLICY", "code {name}: {called}");
    }
    server.end();
}

#[test]
fn code_that_is_denied_by_any_of_its_spellings_is_denied_by_all_of_them() {
    let world = World::demo();
    let fqdn = registered(&world);
    let (four_parts, _) = fqdn.rsplit_once('.').unwrap();
    let id = four_parts.rsplit('.').next().unwrap();
    let spellings: Vec<String> = [fqdn.as_str(), four_parts, id, "first", "second"]
        .map(str::to_owned)
        .into();
    for name in &spellings {
        let ran = world.cli().run(name, &issue());
        assert_eq!(ran["data"], 1, "{name}: {ran}");
    }
    let in_code = ["caps.second".to_owned(), format!("caps.{id}")];
    for pattern in spellings.iter().chain(&in_code) {
        let denied = with_policy(&world, &format!("deny = [{pattern:?}]"));
        denied_everywhere(&denied, &spellings, &issue());
    }
    let allowed = format!("allow = [{four_parts:?}, \"issue.view\"]");
    let ran = with_policy(&world, &allowed).cli().run("second", &issue());
    assert_eq!(ran["data"], 1, "{ran}");
}

const SKILLS: &str = "id: look\nversion: 1.2.0\nlevel: 1\ncard: issue.view\n---\n\
    id: look\nversion: 2.0.0\nlevel: 1\ncard: issue.view\n---\n\
    id: over\nlevel: 2\ncomposes: [{skill: look, version: ^1.0.0}]\n---\n\
    id: top\nlevel: 3\ncomposes: [over]\n";

#[test]
fn skills_that_are_denied_by_any_of_their_spellings_are_denied_by_all_of_them() {
    let world = World::demo();
    let file = world.place.write("skills.yaml", SKILLS);
    let world = world.also(&["--skills", file.to_str().unwrap()]);
    let older = ["look@1.2.0", "look@^1", "look@1", "look@~1.2.0"].map(str::to_owned);
    for pattern in [
        "look@1.2.0",
        "look@^1.0.0",
        "look@1",
        "caps.look@1.2.0",
        "lo*@^1",
    ] {
        let denied = with_policy(&world, &format!("deny = [{pattern:?}]"));
        let made_of_it = ["over", "over@1.0.0", "top"].map(str::to_owned);
        denied_everywhere(&denied, &[older.as_slice(), &made_of_it].concat(), &issue());
        let newer = denied.cli().run("look", &issue());
        assert_eq!(newer["ok"], true, "{pattern}: {newer}");
    }
    let denied = with_policy(&world, "deny = [\"look\"]");
    let all = ["look", "look@2.0.0", "over", "top"].map(str::to_owned);
    denied_everywhere(&denied, &[older.as_slice(), &all].concat(), &issue());
}

#[test]
fn cards_are_also_denied_as_code_says_them() {
    let world = World::demo();
    for pattern in [
        "issue.view",
        "capstan.issue.view",
        "capstan.issue.*",
        " issue.view ",
    ] {
        let denied = with_policy(&world, &format!("deny = [{pattern:?}]"));
        denied_everywhere(&denied, &["issue.view".to_owned()], &issue());
    }
}

fn message(envelope: &Value) -> &str {
    envelope["error"]["message"].as_str().unwrap_or_default()
}

#[test]
fn code_cannot_be_named_after_other_code_or_after_a_skill() {
    let world = World::demo();
    let file = world.place.write("skills.yaml", SKILLS);
    let fqdn = registered(&world);
    let world = world.also(&["--skills", file.to_str().unwrap()]);
    let id = fqdn.split('.').nth(3).unwrap();
    let mut cli = world.cli();
    let ran = cli.exec("other", "return 2", &json!({}));
    let other = ran["meta"]["capability_fqdn"].as_str().unwrap().to_owned();
    let exported = cli.run("cap.export", &json!({"glob": other}))["data"].clone();
    for (name, why) in [
        (id, "has the form of a code id"),
        ("exec_0123abcd", "has the form of a code id"),
        ("look", "is a skill"),
        ("top", "is a skill"),
    ] {
        let mut imported = exported.clone();
        imported["capabilities"][0]["name"] = json!(name);
        let mut aliased = exported.clone();
        aliased["capabilities"][0]["aliases"] = json!([name]);
        for (capability, input) in [
            ("cap.name", json!({"capability": other, "name": name})),
            ("cap.rename", json!({"capability": other, "name": name})),
            ("cap.alias", json!({"capability": other, "alias": name})),
            ("cap.import", imported),
            ("cap.import", aliased),
        ] {
            let refused = cli.run(capability, &input);
            assert_eq!(
                refused["error"]["code"], "CONFLICT",
                "{capability} {name}: {refused}"
            );
            assert!(message(&refused).contains(why), "{refused}");
        }
    }
    let shown = cli.run("cap.show", &json!({"capability": other}));
    let name = shown["data"]["name"].as_str().unwrap();
    assert!(name.starts_with("unnamed_"), "{shown}");
    assert!(shown["data"].get("aliases").is_none(), "{shown}");
}

/// A skill that came later has the name; code is not merged under it.
#[test]
fn merging_takes_no_name_of_a_skill() {
    let world = World::demo();
    let mut cli = world.cli();
    let mut register = |code: &str, name: &str| {
        let ran = cli.exec(name, code, &json!({}));
        let named = json!({"capability": ran["meta"]["capability_fqdn"], "name": name});
        assert_eq!(cli.run("cap.name", &named)["ok"], true);
    };
    register("return 1", "look");
    register("return 2", "other");
    let file = world.place.write("skills.yaml", SKILLS);
    let world = world.also(&["--skills", file.to_str().unwrap()]);
    let merge = json!({"from": "look", "into": "other"});
    let refused = world.cli().run("cap.merge", &merge);
    assert_eq!(refused["error"]["code"], "CONFLICT", "{refused}");
}

#[test]
fn names_of_skills_and_code_that_are_nearly_right_are_answered_with_the_right_ones() {
    let world = World::demo();
    let skills = "id: bug-titles\nlevel: 1\ncard: issue.list\n---\n\
        id: bug-bodies\nlevel: 1\ncard: issue.list\nwhen: never\n";
    let file = world.place.write("skills.yaml", skills);
    let world = world.also(&["--skills", file.to_str().unwrap()]);
    let mut cli = world.cli();
    let ran = cli.exec("count", "return 3", &json!({}));
    let named = json!({"capability": ran["meta"]["capability_fqdn"], "name": "count-bugs"});
    assert_eq!(cli.run("cap.name", &named)["ok"], true);
    for (name, near) in [
        ("bug-title", "bug-titles"),
        ("Bug-Titles", "bug-titles"),
        ("count-bug", "count-bugs"),
    ] {
        let missing = cli.run(name, &json!({}));
        assert_eq!(missing["error"]["code"], "NOT_FOUND", "{missing}");
        assert_eq!(missing["error"]["details"]["near"][0], near, "{missing}");
        assert!(message(&missing).contains(near), "{missing}");
    }
    let missing = cli.run("bug-bodie", &json!({}));
    assert_eq!(missing["error"]["details"]["near"], json!([]), "{missing}");
}
