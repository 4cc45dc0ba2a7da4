//! Configuration files of all kinds, and what is wrong with some.

use capstan_core::{Redactor, Secret};
use capstan_downstream::{Environment, ServerConfigs, Transport, read_mcp_servers, read_toml};
use serde_json::Value;

fn environment() -> Environment {
    let variables = [
        ("TOKEN", "ghx-1234567"),
        ("HOME", "/home/me"),
        ("PROXY", "http://proxy"),
    ];
    Environment::new(variables.map(|(name, value)| (name.to_owned(), value.to_owned())))
}

fn json(text: &str) -> ServerConfigs {
    read_mcp_servers(text, &environment())
}

fn toml(text: &str) -> ServerConfigs {
    let root: toml::Table = text.parse().unwrap();
    let root = serde_json::to_value(root).unwrap();
    read_toml(root.get("servers").unwrap_or(&Value::Null), &environment())
}

/// What was understood and what was not. Values are shown, which no other code does.
fn shown(configs: &ServerConfigs) -> String {
    let mut lines = Vec::new();
    let pairs = |pairs: &[(String, Secret)]| {
        let pair = |(name, value): &(String, Secret)| format!("{name}={}", value.expose());
        pairs.iter().map(pair).collect::<Vec<_>>().join(" ")
    };
    for config in &configs.servers {
        let what = match &config.transport {
            Transport::Stdio {
                command,
                args,
                env,
                cwd,
            } => format!("run {command} {args:?} in {cwd:?} with {}", pairs(env)),
            Transport::Http { url, headers } => format!("post {url} with {}", pairs(headers)),
        };
        let times = (config.start_timeout, config.call_timeout);
        lines.push(format!("{}: {what} {times:?}", config.name));
    }
    lines.extend(
        configs
            .disabled
            .iter()
            .map(|name| format!("{name}: disabled")),
    );
    lines.extend(
        configs
            .problems
            .iter()
            .map(|problem| format!("! {problem}")),
    );
    lines.join("\n")
}

#[test]
fn the_json_that_clients_share_is_understood() {
    let text = r#"{
      // Comments are fine.
      "mcpServers": {
        "files": {
          "command": "npx",
          "args": ["-y", "files", "${HOME}/docs", 7],
          "env": { "API_TOKEN": "${TOKEN}", "DEBUG": true, "EMPTY": null },
          "cwd": "${HOME}",
          "alwaysAllow": ["read"],
        },
        "cloud": {
          "type": "http",
          "url": "https://example.com/mcp?key=${env:TOKEN}",
          "headers": { "Authorization": "Bearer ${TOKEN}" },
        },
        "plain": { "url": "http://localhost:3001/mcp" },
        "off": { "command": "x", "env": { "A": "${NOT_SET}" }, "disabled": true },
      },
    }"#;
    insta::assert_snapshot!(shown(&json(text)));
}

#[test]
fn every_client_has_its_own_place() {
    let server = r#"{ "a": { "command": "x" } }"#;
    for text in [
        format!(r#"{{ "mcpServers": {server} }}"#),
        format!(r#"{{ "servers": {server}, "inputs": [] }}"#),
        format!("\u{feff}{{ \"mcp\": {{ \"servers\": {server} }} }}"),
    ] {
        let configs = json(&text);
        assert_eq!(configs.servers.len(), 1, "{text}");
        assert!(configs.problems.is_empty());
    }
}

#[test]
fn the_own_table_is_understood() {
    let text = r#"
      [servers.files]
      command = "files"
      args = ["--root", "${ROOT:-/srv}"]
      inherit = ["PROXY", "NOT_SET"]
      start_timeout = 5
      call_timeout = 0.5
      [servers.files.env]
      A = "1"

      [servers.cloud]
      url = "https://example.com/mcp"
      headers = { X-Api-Key = "${TOKEN}" }
    "#;
    insta::assert_snapshot!(shown(&toml(text)));
}

#[test]
fn what_is_wrong_is_said_for_each_server() {
    let text = r#"{ "mcpServers": {
        "good": { "command": "x" },
        "my server": { "command": "x" },
        "both": { "command": "x", "url": "http://x" },
        "neither": {},
        "old": { "type": "sse", "url": "http://x/sse" },
        "odd": { "type": "carrier-pigeon" },
        "unset": { "command": "x", "args": ["${NOPE}"], "env": { "A": "${NADA}" } },
        "types": { "command": ["x"], "args": "y", "env": [], "disabled": "yes" },
        "address": { "url": "ftp://x" },
        "headers": { "url": "http://x", "headers": { "Mcp-Session-Id": "1", "a b": "2", "c": "\n" } },
        "list": []
    } }"#;
    insta::assert_snapshot!(shown(&json(text)));
}

#[test]
fn the_own_table_is_strict() {
    let text = r#"
      [servers.a]
      command = "x"
      comand = "y"
      start_timeout = 0
      call_timeout = "soon"
    "#;
    insta::assert_snapshot!(shown(&toml(text)));
}

#[test]
fn what_is_no_configuration_is_refused_without_showing_it() {
    for text in [
        "",
        "[]",
        "{}",
        "{\"mcpServers\": []}",
        "{\"a\": \"hunter2-hunter2\" b",
    ] {
        let configs = json(text);
        assert!(configs.servers.is_empty());
        assert_eq!(configs.problems.len(), 1, "{text}");
        assert!(!configs.problems[0].to_string().contains("hunter2"));
    }
    assert_eq!(toml("").problems.len(), 1);
}

#[test]
fn secrets_are_kept_from_every_output() {
    let text = r#"{ "mcpServers": {
        "a": { "command": "x", "args": ["--token=${TOKEN}", "db://me:letmein-42@db/x"],
               "env": { "API_KEY": "sesame-one" } },
        "b": { "url": "https://u:sesame-two@example.com/?api_key=sesame-three",
               "headers": { "Authorization": "Bearer sesame-four" } }
    } }"#;
    let configs = json(text);
    assert!(configs.problems.is_empty());
    let debug = format!("{configs:?}");
    let secrets = configs.servers.iter().flat_map(|config| config.secrets());
    let redactor = Redactor::new(secrets);
    for secret in [
        "ghx-1234567",
        "letmein-42",
        "sesame-one",
        "sesame-two",
        "sesame-three",
        "sesame-four",
    ] {
        assert!(!debug.contains(secret), "{secret}: {debug}");
        let said = redactor.text(&format!("it is {secret}.")).into_owned();
        assert_eq!(said, "it is [redacted].", "{secret}");
    }
}

#[test]
fn keys_that_are_given_twice_are_refused_wherever_they_are() {
    for (text, key) in [
        (
            r#"{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}"#,
            "a",
        ),
        (
            r#"{"mcpServers": {"a": {"command": "x", /* or */ "command": "y"}}}"#,
            "command",
        ),
        (
            r#"{"mcpServers": {"a": {"command": "x", "env": {"A": "1", "\u0041": "2"}}}}"#,
            "A",
        ),
    ] {
        let read = json(text);
        assert!(read.servers.is_empty(), "{text}");
        let problem = &read.problems[0].message;
        assert!(
            problem.contains(&format!("the key `{key}` is given twice")),
            "{problem}"
        );
    }
}
