//! Names and intents that are longer than anything is: refused at once, and not repeated to whoever
//! sent them.

use serde_json::{Value, json};

use super::surface::World;

/// Whatever is answered to somebody who sent so much, it is little.
fn refused(answer: &Value) {
    let size = answer.to_string().len();
    assert!(size < 3000, "{size} bytes");
    let error = &answer["structuredContent"]["error"];
    assert_eq!(error["code"], "VALIDATION", "{answer}");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("is too long"), "{message}");
}

#[test]
fn a_name_that_is_too_long_is_refused_wherever_it_stands() {
    let world = World::demo();
    let mut server = world.server();
    let long = format!("issue.{}", "x".repeat(400_000));
    let mut ask = |tool: &str, arguments: Value| refused(&server.tool(tool, &arguments));
    ask("explain", json!({"capability": long}));
    ask("execute", json!({"capability": long}));
    ask("execute", json!({"capability": long, "input": 1, "bad": 2}));
    ask("execute", json!({"steps": [{"task": long, "input": {}}]}));
    let named = json!({"task": "issue.view", "input": {}, "as": long});
    ask("execute", json!({"steps": [named]}));
    ask("search", json!({"domain": long}));
    for (action, field) in [
        ("cap.show", "capability"),
        ("cap.lookup", "name"),
        ("cap.delete", "capability"),
    ] {
        ask(
            "execute",
            json!({"capability": action, "input": {field: long}}),
        );
    }
    let merge = json!({"from": long, "into": long});
    ask(
        "execute",
        json!({"capability": "cap.merge", "input": merge}),
    );
    server.end();
}

/// One part of a name is bounded by the sandbox, all of them together by the engine.
#[test]
fn code_hears_the_same_and_can_go_on() {
    let world = World::demo();
    let mut server = world.server();
    for (callee, length, said) in [
        ("caps[args.name]", 400_000, "a name has 1 to 200 characters"),
        ("mcp[args.name][args.name]", 200, "is too long"),
        ("capstan[args.name][args.name]", 200, "is too long"),
    ] {
        let code =
            format!("try {{ await {callee}({{}}) }} catch (error) {{ return error.message }}");
        let args = json!({"name": "x".repeat(length)});
        let call = json!({"intent": "call a long name", "code": code, "args": args});
        let ran = server.execute(&call);
        let message = ran["data"].as_str().unwrap_or_default();
        assert!(message.contains(said), "{callee}: {ran}");
        assert!(ran.to_string().len() < 3000, "{callee}");
    }
    server.end();
}

#[test]
fn an_intent_that_is_too_long_is_refused() {
    let world = World::demo();
    let mut server = world.server();
    let long = "close ".repeat(200);
    let mut ask = |tool: &str, arguments: Value| refused(&server.tool(tool, &arguments));
    ask("execute", json!({"intent": long}));
    ask("search", json!({"intent": long}));
    ask("execute", json!({"intent": long, "code": "1"}));
    server.end();
    let ran = world.place.run(&["--demo", "search", &long]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.stderr.contains("too long"), "{ran:?}");
}

#[test]
fn so_it_is_on_the_command_line() {
    let world = World::demo();
    let long = "x".repeat(100_000);
    for command in [["run", &*long], ["explain", &long], ["call", &long]] {
        let answer = world.capstan(&command);
        assert_eq!(answer["error"]["code"], "VALIDATION", "{}", command[0]);
        let size = answer.to_string().len();
        assert!(size < 3000, "{}: {size} bytes", command[0]);
    }
}
