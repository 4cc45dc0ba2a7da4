//! The tools of a public MCP server are capabilities like the others.

use capstan_test_support::everything_server;
use serde_json::json;

use super::surface::{Surface, World};
use crate::cli::harness::{Place, program};

/// With the public server under the name `everything`, and one that dies at once.
fn world() -> World {
    world_with(&[])
}

/// The same, with the skills of a file.
fn world_with_skills(skills: &str) -> World {
    world_with(&[("skills.yaml", skills)])
}

fn world_with(skills: &[(&str, &str)]) -> World {
    let script = everything_server();
    let node = program("node").expect("Node is installed");
    let place = Place::new();
    let servers = json!({"mcpServers": {
        "everything": {"command": node, "args": [script]},
        "broken": {"command": node, "args": ["-e", "process.exit(3)"]},
    }});
    let file = place.write("mcp.json", servers.to_string());
    let mut flags = vec!["--demo".to_owned(), "--mcp-servers".to_owned()];
    flags.push(file.display().to_string());
    for (name, text) in skills {
        let file = place.write(name, text);
        flags.extend(["--skills".to_owned(), file.display().to_string()]);
    }
    let flags: Vec<_> = flags.iter().map(String::as_str).collect();
    World::at(place, &flags)
}

const OVER_TOOLS: &str = "id: say-and-sum
level: 2
description: Echo a message and add two numbers
composes: [everything.echo, everything.get-sum]
---
id: say
level: 2
description: Echo what is said
composes: [everything.echo]
input_schema: {type: object, properties: {message: {type: string}}, required: [message]}
---
id: say-wrongly
level: 2
description: Echo nothing that is there
composes: [everything.echo]
input_schema: {type: object, properties: {mesage: {type: string}}, required: [mesage]}
";

#[test]
fn composites_over_tools_bind_inputs_by_name_when_they_run() {
    let world = world_with_skills(OVER_TOOLS);
    for mut surface in [
        Box::new(world.cli()) as Box<dyn Surface>,
        Box::new(world.mcp()),
    ] {
        let ran = surface.run("say", &json!({"message": "ahoy"}));
        assert_eq!(ran["data"]["everything.echo"], "Echo: ahoy", "{ran}");
        let ran = surface.run("say-and-sum", &json!({"message": "aye", "a": 2, "b": 40}));
        assert_eq!(ran["data"]["everything.echo"], "Echo: aye", "{ran}");
        let sum = ran["data"]["everything.get-sum"].to_string();
        assert!(sum.contains("42"), "{ran}");
        let missing = surface.run("say-and-sum", &json!({"message": "aye"}));
        assert_eq!(missing["error"]["code"], "VALIDATION", "{missing}");
        let wrong = surface.run("say-wrongly", &json!({"mesage": "aye"}));
        let message = wrong["error"]["message"].as_str().unwrap();
        assert!(
            message.contains("`everything.echo` needs message"),
            "{wrong}"
        );
    }
}

#[test]
fn tools_are_called_from_everywhere() {
    let world = world();
    let mut cli = world.cli();
    let echo = cli.run("everything.echo", &json!({"message": "ahoy"}));
    assert_eq!(echo["ok"], true, "{echo}");
    assert!(echo["data"].to_string().contains("ahoy"));
    assert_eq!(echo["meta"]["route_used"], "mcp");

    let bad = cli.run("everything.echo", &json!({"mesage": "ahoy"}));
    assert_eq!(bad["error"]["code"], "VALIDATION", "{bad}");
    let missing = cli.run("everything.ecko", &json!({}));
    assert_eq!(missing["error"]["code"], "NOT_FOUND", "{missing}");
    assert_eq!(missing["error"]["details"]["near"][0], "everything.echo");

    let ran = cli.exec(
        "sum and echo",
        "const [sum, echo] = await Promise.all([
           mcp.everything['get-sum']({ a: 2, b: 40 }),
           mcp.everything.echo({ message: args.word }),
         ]);
         return { sum: String(sum), echo: String(echo) };",
        &json!({"word": "aye"}),
    );
    assert_eq!(ran["ok"], true, "{ran}");
    assert!(ran["data"]["sum"].as_str().unwrap().contains("42"), "{ran}");
    assert!(
        ran["data"]["echo"].as_str().unwrap().contains("aye"),
        "{ran}"
    );
    assert!(
        ran["meta"]["capability_fqdn"]
            .as_str()
            .unwrap()
            .starts_with("local.default.everything."),
        "{ran}"
    );

    let chain = json!([
        {"task": "issue.view", "as": "issue", "input": {"owner": "acme", "repo": "rocket", "issue_number": 1}},
        {"task": "everything.echo", "input": {"message": "$issue.data.title"}},
    ]);
    let file = world.place.write("chain.json", chain.to_string());
    let ran = world.capstan(&["chain", file.to_str().unwrap()]);
    assert_eq!(ran["status"], "success", "{ran}");
}

#[test]
fn tools_are_found_and_explained() {
    let world = world();
    let mut server = world.server();
    let found = server.tool(
        "search",
        &json!({"intent": "add two numbers", "kind": "tool"}),
    );
    let rows = found["structuredContent"]["capabilities"]
        .as_array()
        .unwrap();
    assert!(
        rows.iter().any(|row| row["id"] == "everything.get-sum"),
        "{found}"
    );
    let note = found["structuredContent"]["note"]
        .as_str()
        .unwrap_or_default();
    assert!(note.contains("`broken` was not searched"), "{note}");
    let explained = server.tool("explain", &json!({"capability": "everything.get-sum"}));
    let explained = &explained["structuredContent"];
    assert_eq!(explained["kind"], "tool", "{explained}");
    assert!(explained["required"]["a"].is_string(), "{explained}");
    server.end();
}

#[test]
fn a_server_that_dies_costs_only_its_own_calls() {
    let world = world();
    let ran = world.cli().exec(
        "beside a broken server",
        "const all = await Promise.allSettled([
           mcp.broken.anything({}),
           mcp.everything.echo({ message: 'fine' }),
           capstan.issue.view({ owner: 'acme', repo: 'rocket', issue_number: 1 }),
           mcp.nobody.anything({}),
         ]);
         return all.map((it) => it.status);",
        &json!({}),
    );
    let expected = json!(["rejected", "fulfilled", "fulfilled", "rejected"]);
    assert_eq!(ran["data"], expected, "{ran}");
}

#[test]
fn a_server_that_hangs_costs_only_its_own_steps() {
    let sleep = program("sleep").expect("sleep is installed");
    let place = Place::new();
    let servers = json!({"mcpServers": {"hang": {"command": sleep, "args": ["1000"]}}});
    let file = place.write("mcp.json", servers.to_string());
    let world = World::at(place, &["--demo", "--mcp-servers", file.to_str().unwrap()]);
    let view = json!({"owner": "acme", "repo": "rocket", "issue_number": 1});
    let close = json!({"owner": "acme", "repo": "rocket", "issue_number": 2});
    let chain = json!([
        {"task": "hang.anything", "input": {}},
        {"task": "issue.view", "input": view},
        {"task": "issue.close", "input": close},
    ]);
    let file = world.place.write("chain.json", chain.to_string());
    let ran = world.capstan(&["chain", file.to_str().unwrap(), "--timeout-ms", "9000"]);
    assert_eq!(ran["status"], "partial", "{ran}");
    let ok: Vec<_> = ran["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["ok"])
        .collect();
    assert_eq!(ok, [false, true, true], "{ran}");
}

#[test]
fn a_file_that_merely_lies_in_the_folder_starts_no_programs() {
    let world = World::demo();
    let text = "[servers.x]\ncommand = \"touch\"\nargs = [\"pwned\"]\n";
    world.place.write("capstan.toml", text);
    let ran = world.place.run(&["--demo", "search", "x"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("`servers`"), "{}", ran.stderr);
}

/// What was done with tools and with remembered code can be done again as a skill.
#[test]
fn tools_and_code_become_steps_of_drafts() {
    let world = world();
    let mut cli = world.cli();
    let code = "return { line: `${args.a}!` }";
    let named = cli.exec("shout", code, &json!({"a": "ahoy"}))["meta"]["capability_name"].clone();
    let ran = cli.exec(
        "sum and echo",
        &format!(
            "const said = await caps[{named}]({{ a: 'all hands on deck' }});
             await mcp.everything.echo({{ message: said.line }});
             return await mcp.everything['get-sum']({{ a: 2, b: 40 }});"
        ),
        &json!({}),
    );
    assert_eq!(ran["ok"], true, "{ran}");
    let drafted = world.capstan(&["skill", "draft", "--from-trace", "last"]);
    let yaml = drafted["data"]["yaml"].as_str().unwrap();
    assert!(yaml.contains("skill: everything.get-sum\n"), "{yaml}");
    assert!(yaml.contains(".output.line\n"), "{yaml}");
    let file = world.place.write("draft.yaml", yaml);
    let skills = ["--skills", file.to_str().unwrap()];
    let checked = world.capstan(&["check", skills[1]]);
    assert_eq!(checked["errors"], 0, "{checked}\n{yaml}");
    let again = world.also(&skills);
    let input = json!({"a": "all hands on deck", "get_sum_a": 2, "b": 40});
    let ran = again.cli().run("sum-and-echo", &input);
    assert!(ran["data"].to_string().contains("42"), "{ran}\n{yaml}");
}
