//! `capstan setup`: printed, shown, written.

use super::harness::Place;

const CLIENTS: [(&str, &str); 10] = [
    ("claude", "here/.mcp.json"),
    ("cursor", "here/.cursor/mcp.json"),
    ("vscode", "here/.vscode/mcp.json"),
    ("codex", "home/.codex/config.toml"),
    (
        "claude-desktop",
        "home/.config/Claude/claude_desktop_config.json",
    ),
    ("gemini", "home/.gemini/settings.json"),
    ("windsurf", "home/.codeium/windsurf/mcp_config.json"),
    ("zed", "home/.config/zed/settings.json"),
    ("opencode", "home/.config/opencode/opencode.json"),
    ("copilot", "home/.copilot/mcp-config.json"),
];

#[test]
fn what_is_printed_for_every_client() {
    let mut said = String::new();
    for (client, file) in CLIENTS {
        let place = Place::new();
        for line in [
            format!("setup {client}"),
            format!("setup {client} --dry-run"),
        ] {
            let ran = place.line(&line);
            said.push_str(&format!(
                "$ capstan {line}\n{}",
                place.anonymous(&ran.all())
            ));
        }
        assert!(!place.path().join(file).exists(), "{client} was written");
    }
    insta::assert_snapshot!(said);
}

#[test]
fn what_is_written_starts_the_server_and_a_second_time_changes_nothing() {
    for (client, file) in CLIENTS {
        let place = Place::new();
        let first = place.line(&format!("setup {client} --write --absolute"));
        assert_eq!(first.code, 0, "{first:?}");
        let written = std::fs::read_to_string(place.path().join(file)).unwrap();
        assert!(written.contains(super::harness::CAPSTAN), "{written}");
        let again = place.line(&format!("setup {client} --write --absolute"));
        assert!(again.stdout.contains("is set up already"), "{again:?}");
        assert_eq!(
            std::fs::read_to_string(place.path().join(file)).unwrap(),
            written
        );
    }
}

#[test]
fn a_file_that_cannot_be_understood_is_left_as_it_is() {
    for (client, file) in CLIENTS {
        let place = Place::new();
        let path = place.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        for text in [&b"{ \"mcpServers\": [}"[..], b"\xff", b"= ="] {
            std::fs::write(&path, text).unwrap();
            let ran = place.line(&format!("setup {client} --write"));
            assert_eq!(ran.code, 2, "{client}: {ran:?}");
            assert_eq!(std::fs::read(&path).unwrap(), text, "{client}");
        }
    }
}

/// The server is to see the same cards, the same servers, and no more than is allowed here.
#[test]
fn global_flags_are_passed_on() {
    let place = Place::new();
    let flags = "--demo --cards cards --config other.toml --mcp-servers servers.json --read-only";
    let printed = place.line(&format!("setup claude {flags}")).stdout;
    let (_, document) = printed.split_once('{').unwrap();
    let document: serde_json::Value = serde_json::from_str(&format!("{{{document}")).unwrap();
    let args = document["mcpServers"]["capstan"]["args"]
        .as_array()
        .unwrap();
    let args: Vec<_> = args.iter().map(|word| word.as_str().unwrap()).collect();
    assert_eq!(args.join(" "), format!("{flags} mcp"));
}

#[test]
fn codex_is_set_up_where_it_lives_and_told_which_variables_to_pass_on() {
    let place = Place::new();
    let home = place.path().join("codex");
    let place = place.env("CODEX_HOME", &home);
    let ran = place.line("setup codex --write");
    assert_eq!(ran.code, 0, "{ran:?}");
    let written = std::fs::read_to_string(home.join("config.toml")).unwrap();
    let config: toml::Table = written.parse().unwrap();
    let passed = config["mcp_servers"]["capstan"]["env_vars"]
        .as_array()
        .unwrap();
    for name in ["GH_TOKEN", "GITHUB_TOKEN", "GH_HOST"] {
        assert!(
            passed.iter().any(|it| it.as_str() == Some(name)),
            "{written}"
        );
    }
    assert!(!place.path().join("home/.codex").exists());
}

/// Names of variables, never what they hold.
#[test]
fn no_token_is_written_down() {
    for (client, file) in CLIENTS {
        let place = Place::new().env("GITHUB_TOKEN", crate::support::TOKEN);
        let ran = place.line(&format!("setup {client} --write"));
        assert_eq!(ran.code, 0, "{client}: {ran:?}");
        let written = std::fs::read_to_string(place.path().join(file)).unwrap();
        assert!(
            !written.contains(crate::support::TOKEN),
            "{client}: {written}"
        );
    }
}

#[test]
fn json_is_for_programs() {
    let place = Place::new();
    let printed = place.line("--json setup claude").json();
    assert_eq!(printed["client"], "claude");
    assert_eq!(
        (&printed["action"], &printed["scope"]),
        (&"print".into(), &"project".into())
    );
    assert!(printed["content"].as_str().unwrap().contains("mcpServers"));
    let file = printed["file"].as_str().unwrap();
    assert!(file.ends_with("here/.mcp.json"), "{file}");
    let actions = ["--dry-run", "--write", "--write", "--dry-run"]
        .map(|flag| place.line(&format!("--json setup claude {flag}")).json()["action"].clone());
    assert_eq!(
        actions,
        ["would_create", "created", "unchanged", "unchanged"]
    );
}
