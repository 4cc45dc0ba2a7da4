//! `capstan setup`: printed, shown, written.

use super::harness::Place;

const CLIENTS: [(&str, &str); 4] = [
    ("claude", "here/.mcp.json"),
    ("cursor", "here/.cursor/mcp.json"),
    ("vscode", "here/.vscode/mcp.json"),
    ("codex", "home/.codex/config.toml"),
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
