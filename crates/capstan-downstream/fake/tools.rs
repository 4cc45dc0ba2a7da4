//! The tools of the fake: each behaves in its own way.

use std::io::{self, Write as _};

use serde_json::{Map, Value, json};

use crate::Server;
use crate::options::Options;

/// Those that only read.
const READS: [&str; 5] = ["echo", "calls", "env", "hold", "die_read"];

const WRITES: [&str; 18] = [
    "write",
    "structured",
    "image",
    "hang",
    "release",
    "die",
    "answer_and_die",
    "freeze",
    "huge",
    "fail",
    "refuse",
    "spam",
    "ask",
    "add_tool",
    "unfinished",
    "grandchild",
    "garbage",
    "unknown_content",
];

pub(crate) fn page(options: &Options, more: &[Value], cursor: &Value) -> Value {
    let usual = READS
        .iter()
        .map(|name| tool(name, &json!({ "readOnlyHint": true })))
        .chain(WRITES.iter().map(|name| tool(name, &json!({}))));
    let odd = if options.odd { odd() } else { Vec::new() };
    let numbered = (0..options.tools).map(|n| tool(&format!("tool_{n}"), &json!({})));
    let all: Vec<Value> = usual
        .chain(odd)
        .chain(numbered)
        .chain(more.iter().cloned())
        .collect();
    let from: usize = cursor.as_str().and_then(|it| it.parse().ok()).unwrap_or(0);
    let next = from + options.page;
    let tools: Vec<_> = all.iter().skip(from).take(options.page).collect();
    let mut page = json!({ "tools": tools });
    if next < all.len() {
        page["nextCursor"] = json!(next.to_string());
    } else if options.endless {
        page["nextCursor"] = json!(from.to_string());
    }
    if options.modern {
        page["resultType"] = json!("complete");
        page["ttlMs"] = json!(0);
        page["cacheScope"] = json!("private");
    }
    page
}

fn tool(name: &str, annotations: &Value) -> Value {
    json!({
        "name": name,
        "description": format!("Does {name}.\nAt length."),
        "inputSchema": { "type": "object" },
        "annotations": annotations,
    })
}

fn odd() -> Vec<Value> {
    vec![
        json!({ "name": "has blanks", "inputSchema": { "type": "object" } }),
        json!({ "name": "no_schema" }),
        json!({ "name": "array_schema", "inputSchema": { "type": "array" } }),
        json!({ "name": "echo", "description": "another", "inputSchema": { "type": "object" } }),
        json!({ "description": "nameless" }),
        json!("no object"),
    ]
}

pub(crate) fn call(server: &mut Server, id: Value, params: &Value) -> io::Result<()> {
    let input = &params["arguments"];
    let text = |key: &str| input[key].as_str().unwrap_or_default().to_owned();
    let number = |key: &str| input[key].as_u64().unwrap_or_default();
    match params["name"].as_str().unwrap_or_default() {
        "echo" | "write" => server.text(&id, &text("text")),
        "calls" => {
            let calls = json!({ "calls": server.received });
            server.answer(&id, &json!({ "content": [], "structuredContent": calls }))
        }
        "env" => {
            let env: Map<String, Value> = std::env::vars().map(|(k, v)| (k, json!(v))).collect();
            server.text(&id, &Value::Object(env).to_string())
        }
        "structured" => {
            let content = json!([{ "type": "text", "text": "in words" }]);
            let result = json!({ "content": content, "structuredContent": input });
            server.answer(&id, &result)
        }
        "image" => {
            let content = json!([{ "type": "image", "mimeType": "image/png", "data": "AAAA" }]);
            server.answer(&id, &json!({ "content": content }))
        }
        "unknown_content" => {
            let content = json!([{ "type": "hologram", "beam": 1 }]);
            server.answer(&id, &json!({ "content": content }))
        }
        "hang" => Ok(()),
        "hold" => {
            server.held.insert(text("word"), id);
            Ok(())
        }
        "release" => {
            if let Some(held) = server.held.remove(&text("word")) {
                server.text(&held, "released")?;
            }
            server.text(&id, "done")
        }
        "die" | "die_read" => {
            io::stderr().write_all(text("words").as_bytes())?;
            std::process::exit(number("code") as i32)
        }
        "answer_and_die" => {
            server.text(&id, "last words")?;
            std::process::exit(0)
        }
        "freeze" => loop {
            std::thread::park();
        },
        "huge" => server.text(&id, &"x".repeat(number("bytes") as usize)),
        "fail" => {
            let content = json!([{ "type": "text", "text": text("words") }]);
            server.answer(&id, &json!({ "content": content, "isError": true }))
        }
        "refuse" => server.refuse(&id, input["code"].as_i64().unwrap_or(-32000), "no"),
        "spam" => {
            let token = params["_meta"]["progressToken"].clone();
            for n in 0..number("times") {
                let progress = json!({ "progressToken": token, "progress": n });
                server.notify("notifications/progress", &progress)?;
            }
            server.text(&id, "spammed")
        }
        "ask" => {
            let asked = format!("ask-{}", server.asking.len());
            server.asking.insert(asked.clone(), id);
            let params = json!({ "messages": [], "maxTokens": 1, "message": "?",
                "requestedSchema": { "type": "object", "properties": {} } });
            let request = json!({ "jsonrpc": "2.0", "id": asked, "method": text("method"),
                "params": params });
            server.send(&request)
        }
        "add_tool" => {
            server.more_tools.push(tool(&text("name"), &json!({})));
            server.notify("notifications/tools/list_changed", &json!({}))?;
            server.text(&id, "added")
        }
        "unfinished" => server.answer(
            &id,
            &json!({ "resultType": "input_required", "inputRequests": {}, "requestState": "x" }),
        ),
        "grandchild" => {
            let pid = grandchild()?;
            server.text(&id, &json!({ "pid": pid }).to_string())
        }
        "garbage" => {
            server.line("this is no message")?;
            server.text(&id, "after garbage")
        }
        _ => server.refuse(&id, -32602, "unknown tool"),
    }
}

/// Something that outlives us unless somebody ends the whole group.
#[expect(
    clippy::disallowed_methods,
    reason = "servers start processes, and those must end too"
)]
fn grandchild() -> io::Result<u32> {
    let child = std::process::Command::new("sleep").arg("1000").spawn()?;
    Ok(child.id())
}
