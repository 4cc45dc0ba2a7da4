//! A file that merely lies in the current folder can forbid, and cannot allow.

use serde_json::{Value, json};

use super::surface::{Surface, World};

fn comment(world: &World) -> Value {
    let input = json!({"owner": "acme", "repo": "rocket", "issue_number": 1, "body": "x"});
    world.cli().run("issue.comments.create", &input)
}

/// The user's own configuration says this.
fn with_own(text: &str) -> World {
    let world = World::demo();
    world
        .place
        .write("../home/.config/capstan/config.toml", text);
    world
}

#[test]
fn a_file_in_the_folder_switches_no_policy_off() {
    let world = with_own("[policy]\nread_only = true\n");
    for found in [
        "",
        "[policy]\nread_only = false\n",
        "[policy]\nallow = [\"*\"]\n",
    ] {
        world.place.write("capstan.toml", found);
        let refused = comment(&world);
        assert_eq!(refused["error"]["code"], "POLICY", "{found}: {refused}");
    }
    let world = with_own("[policy]\nallow = [\"issue.*\"]\ndeny = [\"issue.close\"]\n");
    world
        .place
        .write("capstan.toml", "[policy]\nallow = [\"repo.*\"]\n");
    assert_eq!(comment(&world)["error"]["code"], "POLICY");
    let repo = json!({"owner": "acme", "repo": "rocket"});
    assert_eq!(
        world.cli().run("repo.view", &repo)["error"]["code"],
        "POLICY"
    );
}

#[test]
fn a_file_in_the_folder_can_forbid() {
    let world = World::demo();
    assert_eq!(comment(&world)["ok"], true);
    world
        .place
        .write("capstan.toml", "[policy]\nread_only = true\n");
    assert_eq!(comment(&world)["error"]["code"], "POLICY");
}

#[test]
fn what_needs_trust_is_refused_with_the_reason() {
    for (text, name) in [
        ("[servers.x]\ncommand = \"true\"\n", "servers"),
        ("mcp_servers = [\"x.json\"]\n", "mcp_servers"),
        ("store = \"x.db\"\n", "store"),
        ("[sandbox]\nisolation = \"thread\"\n", "sandbox.isolation"),
        ("[scope]\nuser = \"ann\"\n", "scope.user"),
    ] {
        let world = World::demo();
        world.place.write("capstan.toml", text);
        let ran = world.place.run(&["--demo", "list"]);
        assert_eq!(ran.code, 2, "{text}");
        assert!(ran.stderr.contains(&format!("`{name}`")), "{}", ran.stderr);
    }
}

#[test]
fn a_folder_gives_code_no_more_than_the_user_does() {
    let world = with_own("[sandbox]\ncalls = 2\n");
    world
        .place
        .write("capstan.toml", "[sandbox]\ncalls = 900\n");
    let ran = world.cli().exec(
        "three calls",
        "for (const n of [1, 2, 3]) await capstan.cap.list({ limit: n }); 1",
        &json!({}),
    );
    assert_eq!(ran["error"]["details"]["limit"], "calls", "{ran}");
}

#[test]
fn code_is_denied_by_any_of_its_names_and_when_it_comes_with_the_call() {
    let world = World::demo();
    let mut cli = world.cli();
    let ran = cli.exec("one", "return 1", &json!({}));
    let name = ran["meta"]["capability_name"].as_str().unwrap().to_owned();
    cli.run("cap.name", &json!({"capability": name, "name": "first"}));
    cli.run(
        "cap.rename",
        &json!({"capability": "first", "name": "second"}),
    );
    let file = world
        .place
        .write("deny.toml", "[policy]\ndeny = [\"first\", \"code.exec\"]\n");
    let denied = world.also(&["--config", file.to_str().unwrap()]);
    let mut cli = denied.cli();
    for name in ["first", "second", name.as_str()] {
        assert_eq!(
            cli.call(name, &json!({}))["error"]["code"],
            "POLICY",
            "{name}"
        );
    }
    let direct = cli.exec("one", "return 1", &json!({}));
    assert_eq!(direct["error"]["code"], "POLICY", "{direct}");
}

#[test]
fn options_that_code_cannot_keep_are_refused() {
    let world = World::demo();
    let mut server = world.server();
    for option in [json!({"fields": ["a"]}), json!({"route": "rest"})] {
        let call = json!({"intent": "x", "code": "({a: 1})", "options": option});
        let refused = server.execute(&call);
        assert_eq!(refused["error"]["code"], "VALIDATION", "{refused}");
    }
    server.end();
}

/// Where the user says nothing, what is usual is the most.
#[test]
fn a_folder_gives_code_no_more_than_is_usual() {
    let limits = |found: &str| {
        let world = World::demo();
        world.place.write("capstan.toml", found);
        let report = world.capstan(&["doctor"])["sandbox"].clone();
        let mut limits = report["limits"].clone();
        limits["concurrency"] = report["concurrency"].clone();
        limits
    };
    let most = "[sandbox]\nmemory_mb = 4096\ncpu_ms = 600000\noutput_kb = 65536\ncalls = 100000\n\
        concurrency = 256\n";
    assert_eq!(limits(most), limits(""));
    let least = limits("[sandbox]\nmemory_mb = 16\nconcurrency = 1\n");
    assert_eq!(
        (&least["memory_mb"], &least["concurrency"]),
        (&json!(16), &json!(1)),
        "{least}"
    );
}

#[test]
fn limits_that_make_no_sense_are_refused_with_the_range() {
    for (name, absurd, range) in [
        ("memory_mb", "0", "4 to 4096"),
        ("memory_mb", "1000000", "4 to 4096"),
        ("cpu_ms", "0", "1 to 600000"),
        ("output_kb", "0", "1 to 65536"),
        ("calls", "0", "1 to 100000"),
        ("concurrency", "0", "1 to 256"),
        ("concurrency", "100000", "1 to 256"),
    ] {
        let world = with_own(&format!("[sandbox]\n{name} = {absurd}\n"));
        let ran = world.place.run(&["--demo", "list"]);
        assert_eq!(ran.code, 2, "{name} = {absurd}: {ran:?}");
        let expected = format!("is {absurd}: expected {range}");
        assert!(ran.stderr.contains(&expected), "{}", ran.stderr);
    }
}
