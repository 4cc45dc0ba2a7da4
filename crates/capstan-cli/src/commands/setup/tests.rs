//! Tests of what `setup` prints, compares and writes.

use std::fs;
use std::path::Path;

use clap::Parser;
use tempfile::TempDir;

use super::client_folders::{ClientFolders, TokenVariables};
use super::{SetupArgs, set_up};

#[derive(Parser)]
struct SetupCommandLine {
    #[command(flatten)]
    args: SetupArgs,
}

/// Runs `setup` in a folder that is also the home folder.
fn setup(folder: &Path, line: &str) -> anyhow::Result<String> {
    setup_with(folder, line, &[])
}

/// Runs `setup` like [`setup()`], with these variables set.
fn setup_with(folder: &Path, line: &str, set: &[&'static str]) -> anyhow::Result<String> {
    let words = ["setup"].into_iter().chain(line.split_whitespace());
    let args = SetupCommandLine::try_parse_from(words)?.args;
    let folders = ClientFolders {
        current_dir: folder.to_owned(),
        home: Some(folder.to_owned()),
        config_dir: Some(folder.join(".config")),
        app_dir: Some(folder.join(".config")),
        codex_home: Some(folder.join(".codex")),
        copilot_home: Some(folder.join(".copilot")),
        claude_dir: Some(folder.to_owned()),
        claude_home: Some(folder.join(".claude")),
        token_variables: TokenVariables {
            all: vec!["GH_TOKEN", "GITHUB_TOKEN"],
            set: set.to_vec(),
        },
    };
    let done = set_up(&args, &[], &folders, Path::new("/opt/bin/capstan"))?;
    Ok(done.text())
}

fn folder_with(file: &str, text: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    folder
}

/// Returns the file after `setup … --write`. Also checks that a second run changes nothing.
fn written(client: &str, file: &str, text: Option<&str>) -> String {
    let folder = match text {
        Some(text) => folder_with(file, text),
        None => tempfile::tempdir().unwrap(),
    };
    let said = setup(folder.path(), &format!("{client} --write")).unwrap();
    assert!(
        said.contains(if text.is_some() { "changed" } else { "created" }),
        "{said}"
    );
    let path = folder.path().join(file);
    let after = fs::read_to_string(&path).unwrap();
    let said = setup(folder.path(), &format!("{client} --write")).unwrap();
    assert!(said.contains("is set up already"), "{said}");
    assert_eq!(fs::read_to_string(&path).unwrap(), after);
    // No temporary file is left.
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    after
}

const CLAUDE: &str = r#"{
  "mcpServers": {
    "capstan": {
      "command": "capstan",
      "args": ["mcp"]
    }
  }
}
"#;

#[test]
fn new_files_hold_the_entry_and_nothing_else() {
    assert_eq!(written("claude", ".mcp.json", None), CLAUDE);
    assert_eq!(written("cursor", ".cursor/mcp.json", None), CLAUDE);
    assert_eq!(written("claude", ".mcp.json", Some("")), CLAUDE);
    assert_eq!(
        written("vscode", ".vscode/mcp.json", None),
        r#"{
  "servers": {
    "capstan": {
      "type": "stdio",
      "command": "capstan",
      "args": ["mcp"]
    }
  }
}
"#
    );
    assert_eq!(
        written("codex", ".codex/config.toml", None),
        "[mcp_servers.capstan]\ncommand = \"capstan\"\nargs = [\"mcp\"]\nenv_vars = [\"GH_TOKEN\", \"GITHUB_TOKEN\"]\n"
    );
}

/// Each client with the file of each of its scopes.
const FILES: [(&str, &str); 17] = [
    ("claude", ".mcp.json"),
    ("claude --scope user", ".claude.json"),
    (
        "claude-desktop",
        ".config/Claude/claude_desktop_config.json",
    ),
    ("cursor --scope user", ".cursor/mcp.json"),
    ("codex", ".codex/config.toml"),
    ("codex --scope project", ".codex/config.toml"),
    ("vscode", ".vscode/mcp.json"),
    ("vscode --scope user", ".config/Code/User/mcp.json"),
    ("gemini", ".gemini/settings.json"),
    ("gemini --scope project", ".gemini/settings.json"),
    ("windsurf", ".codeium/windsurf/mcp_config.json"),
    ("zed", ".config/zed/settings.json"),
    ("opencode", ".config/opencode/opencode.json"),
    ("opencode --scope project", "opencode.json"),
    ("copilot", ".copilot/mcp-config.json"),
    ("copilot --scope project", ".github/mcp.json"),
    ("cursor", ".cursor/mcp.json"),
];

#[test]
fn every_client_is_written_in_its_place_and_a_second_time_changes_nothing() {
    for (line, file) in FILES {
        let text = written(line, file, None);
        assert!(
            text.contains("capstan") && text.contains("mcp"),
            "{line}: {text}"
        );
    }
    for client in ["claude-desktop", "windsurf", "zed"] {
        let folder = tempfile::tempdir().unwrap();
        let error = setup(folder.path(), &format!("{client} --scope project")).unwrap_err();
        assert!(
            error.to_string().contains("no configuration for a project"),
            "{error}"
        );
    }
}

#[test]
fn clients_get_the_form_that_they_read() {
    let entry = |client: &str, file: &str, key: &str| {
        let text = written(client, file, None);
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        json[key]["capstan"].clone()
    };
    assert_eq!(
        entry("opencode", ".config/opencode/opencode.json", "mcp"),
        serde_json::json!({"type": "local", "command": ["capstan", "mcp"]})
    );
    assert_eq!(
        entry("copilot", ".copilot/mcp-config.json", "mcpServers"),
        serde_json::json!({"type": "local", "command": "capstan", "args": ["mcp"], "tools": ["*"]})
    );
    assert_eq!(
        entry("zed", ".config/zed/settings.json", "context_servers"),
        serde_json::json!({"command": "capstan", "args": ["mcp"]})
    );
}

/// A client that expands `${NAME}` would pass on the literal text for a variable that is not set.
#[test]
fn clients_that_clear_the_environment_are_told_the_names_and_never_the_token() {
    for (client, file) in [
        ("gemini", ".gemini/settings.json"),
        ("copilot", ".copilot/mcp-config.json"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        setup_with(
            folder.path(),
            &format!("{client} --write"),
            &["GITHUB_TOKEN"],
        )
        .unwrap();
        let text = fs::read_to_string(folder.path().join(file)).unwrap();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let env = &json["mcpServers"]["capstan"]["env"];
        assert_eq!(env, &serde_json::json!({"GITHUB_TOKEN": "${GITHUB_TOKEN}"}));
    }
    let before = "[mcp_servers.capstan]\ncommand = \"capstan\"\nargs = [\"mcp\"]\nenv_vars = [\"MINE\", \"GH_TOKEN\"]\n";
    let after = written("codex", ".codex/config.toml", Some(before));
    assert!(
        after.contains("[\"MINE\", \"GH_TOKEN\", \"GITHUB_TOKEN\"]"),
        "{after}"
    );
}

#[test]
fn a_file_of_opencode_with_comments_is_the_one_that_changes() {
    let before = "{\n  // mine\n  \"theme\": \"dark\"\n}\n";
    let after = written("opencode", ".config/opencode/opencode.jsonc", Some(before));
    assert!(
        after.contains("// mine") && after.contains("capstan"),
        "{after}"
    );
}

#[test]
fn what_else_is_in_a_json_file_stays_byte_for_byte() {
    let before = "{\n\t// mine\n\t\"servers\": {\n\t\t\"other\": { \"command\": \"x\" }, /* keep */\n\t},\n\t\"inputs\": [ 1,2 ],\n}\n";
    let after = written("vscode", ".vscode/mcp.json", Some(before));
    for kept in [
        "\t// mine\n",
        "\"other\": { \"command\": \"x\" }",
        "/* keep */",
        "\"inputs\": [ 1,2 ]",
    ] {
        assert!(after.contains(kept), "{kept}: {after}");
    }
    assert!(after.contains("\"capstan\""));
}

#[test]
fn an_entry_that_exists_is_mended_and_keeps_what_the_user_added() {
    let before = r#"{"mcpServers": {"capstan": {"command": "/old/capstan", "env": {"GH_HOST": "ghe.example"}}}}"#;
    let after = written("claude", ".mcp.json", Some(before));
    let json: serde_json::Value = serde_json::from_str(&after).unwrap();
    let entry = &json["mcpServers"]["capstan"];
    assert_eq!(entry["command"], "capstan");
    assert_eq!(entry["args"], serde_json::json!(["mcp"]));
    assert_eq!(entry["env"]["GH_HOST"], "ghe.example");
}

/// The user's own flags stay, and the output says so.
#[test]
fn an_entry_that_exists_keeps_its_flags_for_every_client() {
    for (client, file, before) in [
        (
            "claude",
            ".mcp.json",
            r#"{"mcpServers":{"capstan":{"command":"/old/capstan","args":["--demo","mcp"],"cwd":"/x"}}}"#,
        ),
        (
            "vscode",
            ".vscode/mcp.json",
            r#"{"servers":{"capstan":{"command":"/old/capstan","args":["--demo","mcp"],"cwd":"/x"}}}"#,
        ),
        (
            "copilot",
            ".copilot/mcp-config.json",
            r#"{"mcpServers":{"capstan":{"command":"/old/capstan","args":["--demo","mcp"],"cwd":"/x"}}}"#,
        ),
        (
            "opencode",
            ".config/opencode/opencode.json",
            r#"{"mcp":{"capstan":{"command":["/old/capstan","--demo","mcp"],"cwd":"/x"}}}"#,
        ),
        (
            "codex",
            ".codex/config.toml",
            "[mcp_servers.capstan]\ncommand = \"/old/capstan\"\nargs = [\"--demo\", \"mcp\"]\ncwd = \"/x\"\n",
        ),
    ] {
        let after = written(client, file, Some(before));
        assert!(!after.contains("/old"), "{client}: {after}");
        assert!(after.contains("\"--demo\""), "{client}: {after}");
        assert!(after.contains("\"/x\""), "{client}: {after}");
        let folder = folder_with(file, before);
        for mode in ["--dry-run", "--write"] {
            let said = setup(folder.path(), &format!("{client} {mode}")).unwrap();
            for words in [
                "changed: the command `/old/capstan` is now `capstan`\n",
                "kept: the arguments `--demo`\n",
                "kept: `cwd`\n",
            ] {
                assert!(said.contains(words), "{client}: {said}");
            }
        }
    }
    let before = r#"{"mcpServers":{"capstan":{"command":"npx","args":["-y","capstan","mcp"]}}}"#;
    let folder = folder_with(".mcp.json", before);
    let said = setup(folder.path(), "claude --write").unwrap();
    let words = "changed: the arguments, `-y capstan mcp`, are now `mcp`\n";
    assert!(said.contains(words), "{said}");
}

#[test]
fn a_byte_order_mark_is_accepted_and_stays() {
    let mark = "\u{feff}";
    let json = format!("{mark}{{\"mcpServers\": {{}}}}\n");
    let toml = format!("{mark}model = \"m\"\n");
    for (client, file, before) in [
        ("claude", ".mcp.json", &json),
        ("codex", ".codex/config.toml", &toml),
    ] {
        let after = written(client, file, Some(before));
        assert!(after.starts_with(mark), "{after}");
        assert_eq!(after.matches(mark).count(), 1, "{after}");
        assert!(after.contains("capstan"), "{after}");
    }
}

#[test]
fn what_else_is_in_a_toml_file_stays_byte_for_byte() {
    let before = "# mine\nmodel = \"m\"   # best\n\n[mcp_servers.other]\ncommand = \"x\"\n\n[mcp_servers.capstan]\ncommand = \"/old/capstan\" # where\nenv = { GH_HOST = \"ghe.example\" }\n\n[last]\na = 1\n";
    let after = written("codex", ".codex/config.toml", Some(before));
    assert_eq!(
        after,
        "# mine\nmodel = \"m\"   # best\n\n[mcp_servers.other]\ncommand = \"x\"\n\n[mcp_servers.capstan]\ncommand = \"capstan\" # where\nenv = { GH_HOST = \"ghe.example\" }\nargs = [\"mcp\"]\nenv_vars = [\"GH_TOKEN\", \"GITHUB_TOKEN\"]\n\n[last]\na = 1\n"
    );
}

#[test]
fn files_that_cannot_be_understood_are_never_touched() {
    let cases = [
        ("claude", ".mcp.json", "{\"mcpServers\": ", "not valid JSON"),
        ("claude", ".mcp.json", "{mcpServers: {}}", "not valid JSON"),
        (
            "claude",
            ".mcp.json",
            "[]",
            "does not contain a JSON object",
        ),
        (
            "cursor",
            ".cursor/mcp.json",
            "{\"mcpServers\": []}",
            "`mcpServers` is not an object",
        ),
        (
            "cursor",
            ".cursor/mcp.json",
            "{\"mcpServers\": {\"capstan\": 1}}",
            "`capstan` is not an object",
        ),
        ("codex", ".codex/config.toml", "a = = 1", "not valid TOML"),
        (
            "codex",
            ".codex/config.toml",
            "[mcp_servers.capstan]\nenv_vars = 1\n",
            "env_vars` is not a list",
        ),
        (
            "zed",
            ".config/zed/settings.json",
            "{\"context_servers\": 1}",
            "is not an object",
        ),
        (
            "codex",
            ".codex/config.toml",
            "mcp_servers = 1",
            "`mcp_servers` is not a table",
        ),
    ];
    for (client, file, text, why) in cases {
        let folder = folder_with(file, text);
        for mode in ["--write", "--dry-run"] {
            let error = setup(folder.path(), &format!("{client} {mode}")).unwrap_err();
            let said = format!("{error:#}");
            assert!(said.contains(why), "{text}: {said}");
            assert!(said.contains("was not changed"), "{said}");
        }
        assert_eq!(fs::read_to_string(folder.path().join(file)).unwrap(), text);
    }
}

#[test]
fn without_write_the_snippet_and_its_place_are_printed() {
    let folder = tempfile::tempdir().unwrap();
    let said = setup(folder.path(), "claude").unwrap();
    assert!(said.contains(".mcp.json"));
    assert!(said.ends_with(CLAUDE), "{said}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_dry_run_shows_the_change_and_writes_nothing() {
    let before = "model = \"m\"\n";
    let folder = folder_with(".codex/config.toml", before);
    let said = setup(folder.path(), "codex --dry-run --write").unwrap();
    assert!(said.contains("config.toml would change:"), "{said}");
    assert!(
        said.contains("  model = \"m\"\n+ \n+ [mcp_servers.capstan]\n+ command = \"capstan\"\n+ args = [\"mcp\"]\n+ env_vars = "),
        "{said}"
    );
    let file = folder.path().join(".codex/config.toml");
    assert_eq!(fs::read_to_string(file).unwrap(), before);

    let empty = tempfile::tempdir().unwrap();
    let said = setup(empty.path(), "cursor --dry-run").unwrap();
    assert!(said.contains("mcp.json would be created:"), "{said}");
    assert_eq!(fs::read_dir(empty.path()).unwrap().count(), 0);
}

#[test]
fn another_file_and_the_full_path_can_be_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    setup(
        folder.path(),
        "claude --write --path sub/other.json --absolute",
    )
    .unwrap();
    let text = fs::read_to_string(folder.path().join("sub/other.json")).unwrap();
    assert!(text.contains("\"/opt/bin/capstan\""), "{text}");
    let error = setup(folder.path(), "claude --path other.json").unwrap_err();
    assert!(error.to_string().contains("--write"), "{error}");
    assert!(setup(folder.path(), "emacs").is_err());
}

#[cfg(unix)]
#[test]
fn permissions_and_links_survive() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = folder_with("real.json", "{}");
    let real = folder.path().join("real.json");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
    let link = folder.path().join(".mcp.json");
    symlink(&real, &link).unwrap();
    setup(folder.path(), "claude --write").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(
        fs::metadata(&real).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert!(fs::read_to_string(&real).unwrap().contains("capstan"));
}
