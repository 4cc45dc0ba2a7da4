//! `list`, `search` and `explain` of every kind.

use serde_json::Value;

use super::servers;
use super::workshop::Workshop;
use crate::cli::harness::{Ran, timeless};

fn ids(ran: &Ran) -> Vec<String> {
    assert_eq!(ran.code, 0, "{ran:?}");
    let rows = ran.json();
    let id = |row: &Value| row["id"].as_str().unwrap().to_owned();
    rows.as_array().unwrap().iter().map(id).collect()
}

#[test]
fn a_list_has_every_kind() {
    let workshop = Workshop::new();
    let all = workshop.json(&["list"]);
    let all = all.as_array().unwrap();
    let kind = |id: &str| {
        let row = all.iter().find(|row| row["id"] == id);
        row.unwrap_or_else(|| panic!("{id} is there"))["kind"].clone()
    };
    assert_eq!(kind("issue.view"), Value::Null);
    assert_eq!(kind("cap.list"), "system");
    assert_eq!(kind("double"), "code");
    assert_eq!(
        ids(&workshop.run(&["list", "--kind", "code"])),
        ["double", "report"]
    );
    let cards = ids(&workshop.run(&["list", "--kind", "card"]));
    let system = ids(&workshop.run(&["list", "--kind", "system"]));
    assert_eq!(cards.len() + system.len() + 2, all.len());
    assert!(cards.iter().all(|id| !id.starts_with("cap.")));
    assert!(ids(&workshop.run(&["list", "--kind", "tool"])).is_empty());
    assert_eq!(
        ids(&workshop.run(&["list", "trace"])),
        ["trace.list", "trace.prune", "trace.show"]
    );
}

#[test]
fn without_a_store_a_list_is_the_same_but_for_code() {
    let workshop = Workshop::new();
    let empty = Workshop::empty();
    let remembered = workshop.json(&["list"]);
    let mut remembered = remembered.as_array().unwrap().clone();
    remembered.retain(|row| row["kind"] != "code");
    assert_eq!(empty.json(&["list"]), Value::Array(remembered));
}

#[test]
fn an_unknown_domain_is_answered_with_the_known_ones() {
    let workshop = Workshop::new();
    let ran = workshop.run(&["list", "nothing"]);
    assert_eq!(ran.code, 2);
    insta::assert_snapshot!(ran.stderr);
}

#[test]
fn code_and_own_actions_are_found_by_what_they_do() {
    let workshop = Workshop::new();
    let found = ids(&workshop.run(&["search", "double", "a", "number"]));
    assert_eq!(found[0], "double");
    let found = ids(&workshop.run(&["search", "what was executed recently", "--kind", "system"]));
    assert_eq!(found[0], "trace.list");
    let found = ids(&workshop.run(&["search", "list issues", "--kind", "card", "--limit", "1"]));
    assert_eq!(found, ["issue.list"]);
    let found = ids(&Workshop::empty().run(&["search", "rename a capability", "--limit", "1"]));
    assert_eq!(found, ["cap.rename"]);
}

/// Code, skills and tools of the user come before generated cards that fit about equally.
#[test]
fn code_comes_before_generated_cards() {
    let workshop = Workshop::new();
    let found = ids(&workshop.run(&["search", "list issues"]));
    assert_eq!(found[..2], ["issue.list", "report"], "{found:?}");
    assert!(found.contains(&"me.issues.list".to_owned()), "{found:?}");
    // What fits much better comes first.
    let found = ids(&workshop.run(&["search", "list gists of a user"]));
    assert_eq!(found[0], "user.gists.list", "{found:?}");
}

#[test]
fn what_others_wrote_is_text_in_the_page() {
    let workshop = Workshop::empty();
    let hostile = r#"</td><script>alert(1)</script>&amp; "it's" <img src=x onerror=alert(2)>"#;
    workshop.learn("hostile", hostile, "return 1;");
    let file = workshop.place.path().join("catalogue.html");
    let ran = workshop.run(&["list", "--kind", "code", "--html", file.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let text = std::fs::read_to_string(&file).unwrap();
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        ..roxmltree::ParsingOptions::default()
    };
    let page = roxmltree::Document::parse_with_options(&text, options).unwrap();
    let shown = page.descendants().any(|it| it.text() == Some(hostile));
    assert!(shown, "{text}");
    let scripts = page
        .descendants()
        .filter(|it| it.has_tag_name(("http://www.w3.org/1999/xhtml", "script")));
    assert_eq!(scripts.count(), 1);
}

#[test]
fn on_a_terminal() {
    let _timeless = timeless();
    let workshop = Workshop::new();
    let mut all = String::new();
    for args in [
        &["list", "--kind", "code"][..],
        &["search", "list", "issues", "--limit", "3"],
        &["explain", "report"],
        &["explain", "cap.share"],
        &["explain", "nothing-like-this"],
    ] {
        all.push_str(&format!("> {}\n{}", args.join(" "), workshop.screen(args)));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn explained_in_a_pipe() {
    let workshop = Workshop::new();
    let explained = workshop.json(&["explain", "report"]);
    assert_eq!(explained["kind"], "code");
    assert_eq!(explained["optional"]["first"], "number = 2");
    workshop.json(&["cap", "rename", "report", "issues"]);
    let explained = workshop.json(&["explain", "report"]);
    let note = explained["notes"][0].as_str().unwrap();
    assert!(
        note.starts_with("[WARN] Deprecated: Using alias \"report\""),
        "{note}"
    );
    assert_eq!(workshop.json(&["explain", "cap.merge"])["kind"], "system");
    let unknown = workshop.run(&["explain", "issue.vieww"]);
    assert_eq!(unknown.code, 1);
    assert_eq!(unknown.json()["error"]["details"]["near"][0], "issue.view");
}

#[test]
fn tools_of_servers_are_found_and_what_is_not_searched_is_said() {
    let place = servers::place();
    let [flag, file] = &servers::flags(&place);
    let ran = place.run(&[flag, file, "list", "--kind", "tool"]);
    assert_eq!(ids(&ran), ["weather.alarm", "weather.forecast"]);
    for server in ["dead", "mute"] {
        let warning = format!("warning: `{server}` was not searched: ");
        assert!(ran.stderr.contains(&warning), "{}", ran.stderr);
    }
    let ran = place.run(&[flag, file, "list", "weather"]);
    assert_eq!(
        (ran.json()[0]["kind"].as_str(), &*ran.stderr),
        (Some("tool"), "")
    );
    let ran = place.run(&[flag, file, "explain", "weather.forecast"]);
    let explained = ran.json();
    assert_eq!(explained["kind"], "tool");
    assert_eq!(explained["required"]["place"], "string");
    // What the servers have to do with it is asked for only where they have.
    let ran = place.run(&[flag, file, "explain", "issue.view"]);
    assert_eq!((ran.code, &*ran.stderr), (0, ""));
    let ran = place.run(&[flag, file, "list", "--kind", "card"]);
    assert_eq!((ran.code, &*ran.stderr), (0, ""));
}

/// Whatever is wrong with the store and the servers, it is none of a card's business.
#[test]
fn a_card_is_explained_without_looking_anywhere() {
    let place = servers::place();
    let folder = place.path().join("home/.local/share/capstan");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("capstan.db"), "no database".repeat(400)).unwrap();
    let [flag, file] = &servers::flags(&place);
    for args in [
        &["explain", "issue.view"][..],
        &["list", "--kind", "card"],
        &["list", "--kind", "system"],
        &["search", "close an issue", "--kind", "card"],
        &["completions", "zsh"],
    ] {
        let ran = place.run(&[&[flag.as_str(), file], args].concat());
        assert_eq!((ran.code, &*ran.stderr), (0, ""), "{args:?}");
    }
    let ran = place.run(&["list"]);
    assert!(
        ran.stderr.starts_with("warning: code was not searched"),
        "{ran:?}"
    );
}
