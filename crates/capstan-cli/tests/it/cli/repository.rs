//! The repository of the folder, from its git remotes.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use serde_json::{Value, json};

use super::harness::{Github, Place};

const VIEW: [&str; 3] = ["run", "issue.view", "issue_number=1"];

fn git(place: &Place, line: &str) {
    let output = place
        .command("git")
        .args(line.split_whitespace())
        .output()
        .unwrap();
    assert!(output.status.success(), "git {line}: {output:?}");
}

fn cloned(place: Place, remotes: &[(&str, &str)]) -> Place {
    git(&place, "init -q");
    for (name, address) in remotes {
        git(&place, &format!("remote add {name} {address}"));
    }
    place
}

#[test]
fn owner_and_repository_come_from_the_remote() {
    let github = Github::demo();
    for address in [
        "https://github.com/acme/rocket.git",
        "git@github.com:acme/rocket.git",
        "ssh://git@github.com/acme/rocket",
        "https://user:pw@github.com/acme/rocket",
    ] {
        let place = cloned(Place::new().online(&github), &[("origin", address)]);
        let ran = place.run(&VIEW);
        assert_eq!(ran.code, 0, "{address}: {ran:?}");
        assert_eq!(
            ran.json()["data"]["url"],
            "https://github.com/acme/rocket/issues/1"
        );
        std::fs::create_dir_all(place.here().join("a/b")).unwrap();
        let below = place
            .command(super::harness::CAPSTAN)
            .args(VIEW)
            .current_dir(place.here().join("a/b"))
            .output()
            .unwrap();
        assert!(below.status.success(), "{below:?}");
    }
}

#[test]
fn upstream_wins_over_origin_and_words_win_over_both() {
    let github = Github::demo();
    let place = cloned(
        Place::new().online(&github),
        &[
            ("origin", "git@github.com:me/rocket.git"),
            ("upstream", "git@github.com:acme/rocket.git"),
        ],
    );
    assert_eq!(place.run(&VIEW).code, 0);
    for words in [&["-R", "acme/nothing"][..], &["owner=acme", "repo=nothing"]] {
        let ran = place.run(&[&VIEW[..], words].concat());
        assert_eq!(ran.json()["error"]["code"], "NOT_FOUND", "{ran:?}");
        assert!(ran.stdout.contains("acme/nothing"), "{ran:?}");
    }
    // Half a repository is not filled up with half of another.
    let ran = place.run(&[&VIEW[..], &["owner=acme"]].concat());
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.stdout.contains("`repo` is missing"), "{ran:?}");
}

#[test]
fn only_remotes_on_the_host_count() {
    let github = Github::demo();
    for remotes in [
        &[][..],
        &[("origin", "https://gitlab.example/acme/rocket")],
        &[("origin", "/srv/git/rocket.git")],
    ] {
        let place = cloned(Place::new().online(&github), remotes);
        let ran = place.run(&VIEW);
        assert_eq!(ran.code, 2, "{remotes:?}: {ran:?}");
        assert!(ran.stdout.contains("`owner` is missing"), "{ran:?}");
    }
    assert_eq!(github.sim.requests(), []);
    let remotes = [
        ("origin", "https://github.com/other/thing"),
        ("work", "https://git.example.org/acme/rocket"),
    ];
    let place = cloned(Place::new().online(&github), &remotes).env("GH_HOST", "git.example.org");
    let ran = place.run(&VIEW);
    assert_eq!(ran.code, 0, "{ran:?}");
}

#[test]
fn outside_of_a_repository_it_must_be_said() {
    let ran = Place::new().run(&VIEW);
    assert_eq!(ran.code, 2);
    let message = ran.json()["error"]["message"].to_string();
    assert!(message.contains("`owner` is missing"), "{message}");
}

#[test]
fn the_folders_of_an_mcp_client_tell_the_repository() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    let project = place.here().join("my project");
    std::fs::create_dir(&project).unwrap();
    for line in [
        "init -q",
        "remote add origin git@github.com:acme/rocket.git",
    ] {
        let output = place
            .command("git")
            .current_dir(&project)
            .args(line.split_whitespace())
            .output()
            .unwrap();
        assert!(output.status.success(), "git {line}: {output:?}");
    }
    let folder = project.display().to_string().replace(' ', "%20");
    let mut server = place
        .command(super::harness::CAPSTAN)
        .arg("mcp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = server.stdin.take().unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let mut exchange = |message: Value| -> Value {
        writeln!(input, "{message}").unwrap();
        serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap()
    };
    exchange(
        json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {"roots": {}},
            "clientInfo": {"name": "test", "version": "1"}
        }}),
    );
    let asked = exchange(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "execute", "arguments": {"lines": ["issue.view 1 --fields url"]}}
    }));
    assert_eq!(asked["method"], "roots/list", "{asked}");
    let answer = exchange(json!({"jsonrpc": "2.0", "id": asked["id"], "result": {
        "roots": [{"uri": format!("file://{folder}"), "name": "project"}]
    }}));
    assert_eq!(
        answer["result"]["content"][0]["text"],
        "url: https://github.com/acme/rocket/issues/1"
    );
    drop(input);
    assert!(server.wait().unwrap().success());
}
