//! Skills are capabilities: wherever those can be named, skills can.

use serde_json::json;

use super::world::{Workshop, rocket};
use crate::code::surface::Surface as _;

const BRIEF: &str = "id: issue-brief
level: 2
description: One line about an issue and its repository
intents: [sum up an issue]
composes: [issue.view, repo.view, join]
output_schema: {type: object, properties: {line: {type: string}}, required: [line]}
---
id: join
level: 1
code: 'return {line: `${args.full_name}: ${args.title}`}'
input_schema: {type: object, properties: {title: {type: string}, full_name: {type: string}}, required: [title, full_name]}
output_schema: {type: object, properties: {line: {type: string}}, required: [line]}
";

const LINE: &str = "acme/rocket: Engine 3 shuts down early during the 30 s static fire";

#[test]
fn they_are_run_from_everywhere() {
    let workshop = Workshop::with(BRIEF);
    let input = rocket(json!({"issue_number": 1}));
    assert_eq!(workshop.run("issue-brief", &input)["data"]["line"], LINE);
    let code = format!("const brief = await caps['issue-brief']({input}); return brief.line");
    let ran = workshop.world.cli().exec("sum up", &code, &json!({}));
    assert_eq!(ran["data"], LINE, "{ran}");
    let mut mcp = workshop.world.mcp();
    assert_eq!(mcp.run("issue-brief", &input)["data"]["line"], LINE);
    let chain = json!({"steps": [
        {"task": "issue-brief", "input": input, "as": "brief"},
        {"task": "join", "input": {"title": "$brief.data.line", "full_name": "x"}},
    ]});
    let mut server = workshop.world.server();
    let chained = server.execute(&chain);
    assert_eq!(
        chained["results"][1]["data"]["line"],
        format!("x: {LINE}"),
        "{chained}"
    );
    server.end();
}

#[test]
fn they_are_found_and_explained() {
    let workshop = Workshop::with(BRIEF);
    let found = workshop
        .world
        .capstan(&["search", "sum up an issue", "--kind", "skill"]);
    assert_eq!(found[0]["id"], "issue-brief", "{found}");
    assert_eq!(found[0]["kind"], "skill");
    let explained = workshop.world.capstan(&["explain", "issue-brief"]);
    assert_eq!(explained["kind"], "skill");
    assert_eq!(explained["operation"], "READ");
    let required: Vec<_> = explained["required"].as_object().unwrap().keys().collect();
    assert_eq!(required, ["issue_number", "owner", "repo"], "{explained}");
}

#[test]
fn versions_are_chosen_by_their_ranges() {
    let version = |number: &str| {
        format!(
            "id: say\nversion: {number}\nlevel: 1\ncode: 'return {{said: \"{number}\"}}'\n\
             output_schema: {{type: object, properties: {{said: {{type: string}}}}, required: [said]}}\n---\n"
        )
    };
    let user = |id: &str, range: &str| {
        format!("id: {id}\nlevel: 2\ncomposes: [{{skill: say, version: {range:?}}}]\n---\n")
    };
    let skills = [
        version("1.0.0"),
        version("1.4.0"),
        version("2.0.0"),
        user("old", "^1.0.0"),
        user("exact", "1.0.0"),
        user("new", ">=1.0.0"),
    ];
    let workshop = Workshop::with(&skills.concat());
    for (name, said) in [
        ("old", "1.4.0"),
        ("exact", "1.0.0"),
        ("new", "2.0.0"),
        ("say", "2.0.0"),
        ("say@1", "1.4.0"),
    ] {
        let ran = workshop.run(name, &json!({}));
        assert_eq!(ran["data"], json!({"said": said}), "{name}: {ran}");
    }
}

/// What code gives is known when it has run: the composite gives that, and code that says nothing of its input
/// takes the whole input of the composite.
#[test]
fn composites_over_code_give_what_the_code_gave() {
    let workshop = Workshop::with(
        "id: shout
level: 1
code: 'return {loud: args.word.toUpperCase(), word: args.word}'
---
id: count
level: 1
code: 'return args.word.length'
---
id: both
level: 2
description: Shout a word, and count its letters
composes: [{skill: shout, output_mapping: {word: quiet}}, count]
input_schema: {type: object, properties: {word: {type: string}}, required: [word]}
---
id: remembered
level: 2
description: Run what is remembered
composes: [twice]
",
    );
    let mut cli = workshop.world.cli();
    let ran = cli.run("both", &json!({"word": "ahoy"}));
    let expected = json!({"loud": "AHOY", "quiet": "ahoy", "count": 4});
    assert_eq!(ran["data"], expected, "{ran}");

    let code = "return {twice: args.n * 2}";
    let ran = cli.exec("double a number", code, &json!({"n": 3}));
    let name = ran["meta"]["capability_fqdn"].as_str().unwrap().to_owned();
    let named = cli.run("cap.name", &json!({"capability": name, "name": "twice"}));
    assert_eq!(named["ok"], true, "{named}");
    let ran = workshop.run("remembered", &json!({"n": 21}));
    assert_eq!(ran["data"], json!({"twice": 42}), "{ran}");
}
