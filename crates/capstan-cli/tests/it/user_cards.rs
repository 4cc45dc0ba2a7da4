//! Cards of one's own: good ones run, bad ones are diagnosed where they are wrong, and neither
//! stands in the way of the others.

use std::os::unix::fs::symlink;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::cli::harness::{Github, Place, without_colours};

/// A card that says who one is.
const GOOD: &str = r#"capability_id: person.view
version: 1.0.0
description: Show who you are.
operation: READ
input_schema: {type: object, properties: {}, additionalProperties: false}
output_schema:
  type: object
  required: [login]
  properties: {login: {type: string}}
graphql:
  operation: Me
  output: {root: viewer, fields: {login: login}}
rest: {method: GET, path: /user, output: {fields: {login: login}}}
"#;
const GOOD_DOCUMENT: &str = "query Me { viewer { login } }\n";

fn with_good_card() -> Place {
    let place = Place::new();
    place.write("cards/user.yaml", GOOD);
    place.write("cards/user.graphql", GOOD_DOCUMENT);
    place
}

/// The good card with one thing changed.
fn changed(from: &str, to: &str) -> String {
    let good = GOOD.replace("person.view", "person.bad");
    assert!(good.contains(from), "{from}");
    good.replace(from, to)
}

#[test]
fn a_card_of_ones_own_runs_on_every_route_it_declares() {
    let github = Github::demo();
    let place = with_good_card().online(&github);
    for route in ["graphql", "rest"] {
        let ran = place.line(&format!("--cards cards run person.view --route {route}"));
        assert_eq!((ran.code, &*ran.stderr), (0, ""), "{ran:?}");
        assert_eq!(ran.json()["data"], json!({"login": "maya-chen"}));
    }
    let listed = place.line("--cards cards list person").stdout;
    assert!(listed.contains("Show who you are."), "{listed}");
}

#[test]
fn it_takes_the_place_of_a_built_in_one() {
    let github = Github::demo();
    let place = with_good_card().online(&github);
    place.write("cards/user.yaml", GOOD.replace("person.view", "issue.view"));
    let ran = place.line("--cards cards run issue.view");
    assert_eq!(ran.json()["data"], json!({"login": "maya-chen"}), "{ran:?}");
    // And the later folder of two wins.
    place.write(
        "other/user.yaml",
        GOOD.replace("Show who you are.", "Another.")
            .replace("person.view", "issue.view"),
    );
    place.write("other/user.graphql", GOOD_DOCUMENT);
    let explained = place
        .line("--cards cards --cards other explain issue.view")
        .json();
    assert_eq!(explained["description"], "Another.");
}

/// What is said about every kind of mistake, with its file, line and column.
#[test]
fn mistakes_are_diagnosed_where_they_are() {
    let mistakes = [
        (
            "syntax",
            "capability_id: [person.bad\nversion: 1.0.0\n".to_owned(),
        ),
        (
            "tabs",
            "capability_id: person.bad\n\tversion: 1.0.0\n".to_owned(),
        ),
        ("empty file", String::new()),
        ("only a comment", "# nothing\n".to_owned()),
        ("a list", "- a\n- b\n".to_owned()),
        (
            "two documents",
            format!("{}---\n{GOOD}", changed("1.0.0", "1.0.0")),
        ),
        (
            "unknown key",
            changed("operation: READ", "operation: READ\nretries: 3"),
        ),
        (
            "unknown key inside",
            changed("path: /user", "path: /user, pth: x"),
        ),
        ("missing key", changed("version: 1.0.0\n", "")),
        (
            "key given twice",
            changed("version: 1.0.0", "version: 1.0.0\nversion: 1.0.1"),
        ),
        (
            "wrong type",
            changed("version: 1.0.0", "version: [1, 0, 0]"),
        ),
        (
            "wrong type inside",
            changed("output: {fields: {login: login}}}", "output: 3}"),
        ),
        ("unknown operation", changed("READ", "PEEK")),
        ("unknown method", changed("GET", "FETCH")),
        ("bad id", changed("person.bad", "User Bad")),
        ("bad version", changed("1.0.0", "one")),
        (
            "schema is no object",
            changed(
                "output_schema:\n  type: object",
                "output_schema:\n  type: array",
            ),
        ),
        (
            "bad expression",
            changed(
                "path: /user, output: {fields: {login: login}}",
                "path: /user, output: {fields: {login: 'login | shout'}}",
            ),
        ),
        (
            "unfinished expression",
            changed(
                "path: /user, output: {fields: {login: login}}",
                "path: /user, output: {fields: {login: 'login |'}}",
            ),
        ),
        ("bad template", changed("path: /user", "path: '/user/{who'")),
        (
            "unknown GraphQL operation",
            changed("operation: Me", "operation: You"),
        ),
        (
            "no graphql route",
            GOOD.replace("person.view", "person.bad")
                .split("graphql:")
                .next()
                .unwrap()
                .to_owned(),
        ),
        (
            "proof of a read",
            changed(
                "  output: {root: viewer",
                "  verify: {when: $me.login, from: me}\n  output: {root: viewer",
            ),
        ),
        (
            "document elsewhere",
            changed(
                "operation: Me",
                "operation: Me\n  document: ../secret.graphql",
            ),
        ),
    ];
    let mut said = String::new();
    for (what, text) in mistakes {
        let place = with_good_card();
        place.write("cards/bad.yaml", text);
        place.write("cards/bad.graphql", GOOD_DOCUMENT);
        let ran = place.line("--cards cards explain person.view");
        assert_eq!(ran.code, 0, "{what}: the good card still loads: {ran:?}");
        assert!(!ran.stderr.is_empty(), "{what} is not noticed");
        for line in ran.stderr.lines() {
            assert!(line.starts_with("cards/bad.yaml:"), "{what}: {line}");
        }
        said.push_str(&format!("## {what}\n{}", ran.stderr));
    }
    insta::assert_snapshot!(said);
}

#[test]
fn mistakes_in_documents_are_diagnosed_in_the_document() {
    let mistakes = [
        ("syntax", "query Me { viewer { login }\n"),
        ("no operation", "fragment F on User { login }\n"),
        (
            "two of one name",
            "query Me { viewer { login } }\nquery Me { viewer { id } }\n",
        ),
        (
            "without a name beside another",
            "query Me { viewer { login } }\n{ viewer { login } }\n",
        ),
        ("empty", ""),
        ("subscription", "subscription Me { viewer { login } }\n"),
        ("unknown fragment", "query Me { viewer { ...Nobody } }\n"),
        (
            "a write in a card that reads",
            "mutation Me { viewer { login } }\n",
        ),
    ];
    let mut said = String::new();
    for (what, document) in mistakes {
        let place = with_good_card();
        place.write("cards/bad.yaml", changed("1.0.0", "1.0.0"));
        place.write("cards/bad.graphql", document);
        let ran = place.line("--cards cards explain person.view");
        assert_eq!(ran.code, 0, "{what}: {ran:?}");
        assert!(ran.stderr.starts_with("cards/bad."), "{what}: {ran:?}");
        said.push_str(&format!("## {what}\n{}", ran.stderr));
    }
    let place = with_good_card();
    place.write("cards/bad.yaml", changed("1.0.0", "1.0.0"));
    let ran = place.line("--cards cards explain person.view");
    said.push_str(&format!("## missing\n{}", ran.stderr));
    insta::assert_snapshot!(said);
}

#[test]
fn two_cards_with_one_id_and_folders_that_are_none() {
    let place = with_good_card();
    place.write("cards/zwei.yaml", GOOD);
    place.write("cards/zwei.graphql", GOOD_DOCUMENT);
    place.write("file", "");
    let twice = place.line("--cards cards list person");
    assert_eq!(twice.code, 0);
    let nothing = place.line("--cards nothing --cards file --cards cards explain person.view");
    assert_eq!(
        nothing.code, 0,
        "the folder that is there still counts: {nothing:?}"
    );
    insta::assert_snapshot!(format!("{}{}", twice.stderr, nothing.stderr));
}

#[test]
fn on_a_terminal_the_place_is_shown() {
    let place = with_good_card();
    place.write(
        "cards/bad.yaml",
        changed(
            "path: /user, output: {fields: {login: login}}",
            "path: /user, output: {fields: {login: 'login | shout'}}",
        ),
    );
    place.write("cards/bad.graphql", GOOD_DOCUMENT);
    let (code, said) = place.raw_terminal(&["--cards", "cards", "list", "person"]);
    assert_eq!(code, 0);
    insta::assert_snapshot!(without_colours(&said));
}

#[test]
fn a_broken_card_is_not_there_and_says_so_on_every_command() {
    let github = Github::demo();
    let place = with_good_card().online(&github);
    place.write("cards/bad.yaml", changed("1.0.0", "one"));
    place.write("cards/bad.graphql", GOOD_DOCUMENT);
    for (line, code) in [
        ("--cards cards run person.view", 0),
        ("--cards cards run person.bad", 1),
        ("--cards cards explain person.bad", 1),
        ("--cards cards list", 0),
        ("--cards cards search who am I", 0),
        ("--cards cards doctor", 0),
        ("--cards cards mcp", 0),
    ] {
        let ran = place.line(line);
        assert_eq!(ran.code, code, "{line}: {ran:?}");
        assert!(
            ran.stderr.starts_with("cards/bad.yaml:2:10: error[E042]: "),
            "{line}: {ran:?}"
        );
    }
}

/// Whatever a file holds, the answer comes, comes soon, and is about the other cards too.
#[test]
fn hostile_files_neither_crash_nor_hang() {
    let bomb = {
        let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..30 {
            let items = vec![format!("*a{}", level - 1); 10].join(", ");
            text.push_str(&format!("a{level}: &a{level} [{items}]\n"));
        }
        text
    };
    let inside = changed("{type: string}}", "{type: string, default: &a [*a]}}");
    let files: Vec<(&str, Vec<u8>)> = vec![
        ("alias bomb", bomb.clone().into_bytes()),
        (
            "alias bomb in a schema",
            changed(
                "  properties: {login",
                &format!(
                    "  x:\n    {}\n  properties: {{login",
                    bomb.replace('\n', "\n    ")
                ),
            )
            .into_bytes(),
        ),
        ("alias to itself", inside.into_bytes()),
        (
            "merge keys",
            format!("base: &b {{a: 1}}\n<<: *b\n{}", changed("1.0.0", "1.0.0")).into_bytes(),
        ),
        ("deep lists", "[".repeat(200_000).into_bytes()),
        ("deep maps", "{a: ".repeat(200_000).into_bytes()),
        (
            "deep indents",
            (0..3_000)
                .map(|depth| format!("{}a:\n", " ".repeat(depth.min(300))))
                .collect::<String>()
                .into_bytes(),
        ),
        (
            "deep schema",
            changed(
                "{type: string}}",
                &format!("{}{{}}{}", "{not: ".repeat(5_000), "}".repeat(5_000)),
            )
            .into_bytes(),
        ),
        (
            "deep expression",
            changed(
                "{login: login}}",
                &format!("{{login: '{}'}}", "(".repeat(100_000)),
            )
            .into_bytes(),
        ),
        (
            "long expression",
            changed(
                "{login: login}}",
                &format!("{{login: 'login{}'}}", " | lower".repeat(50_000)),
            )
            .into_bytes(),
        ),
        ("too large", vec![b'#'; 2 << 20]),
        ("one long line", vec![b'a'; 1 << 20]),
        (
            "NUL bytes",
            b"capability_id: a\0b\nversion: \0\0\n".to_vec(),
        ),
        ("only NUL bytes", vec![0; 4096]),
        ("not UTF-8", b"capability_id: \xff\xfe\xfd\n".to_vec()),
        (
            "UTF-16",
            "capability_id: person.bad\n"
                .encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect(),
        ),
        (
            "byte order mark",
            [
                b"\xef\xbb\xbf".as_slice(),
                changed("1.0.0", "one").as_bytes(),
            ]
            .concat(),
        ),
        (
            "tags",
            changed("person.bad", "!!python/object/apply:os.system [id]").into_bytes(),
        ),
        ("local tag", changed("1.0.0", "!danger 1.0.0").into_bytes()),
        (
            "binary tag",
            changed("Show who you are.", "!!binary \"/////w==\"").into_bytes(),
        ),
        (
            "huge number",
            changed("{type: string}}", "{minLength: 1e999999999}}").into_bytes(),
        ),
        (
            "line separators",
            changed("Show who you are.", "\"a\u{2028}b\u{85}c\u{1b}[2J\"")
                .replace("1.0.0", "one")
                .into_bytes(),
        ),
        (
            "carriage returns",
            changed("1.0.0", "one").replace('\n', "\r").into_bytes(),
        ),
        ("directives", b"%YAML 9.9\n%TAG ! x\n---\na: b\n".to_vec()),
        ("many documents", "---\na: b\n".repeat(20_000).into_bytes()),
        (
            "many keys",
            (0..30_000)
                .map(|n| format!("k{n}: 1\n"))
                .collect::<String>()
                .into_bytes(),
        ),
    ];
    for (what, bytes) in files {
        let place = with_good_card();
        place.write("cards/bad.yaml", bytes);
        place.write("cards/bad.graphql", GOOD_DOCUMENT);
        let started = Instant::now();
        let ran = place.line("--cards cards explain person.view");
        assert_eq!(ran.code, 0, "{what}: {:.1000}", ran.stderr);
        assert!(
            started.elapsed() < Duration::from_secs(20),
            "{what} took {:?}",
            started.elapsed()
        );
        assert!(
            !ran.stderr.contains("crashed because of a bug"),
            "{what}: {:.1000}",
            ran.stderr
        );
        assert!(
            ran.stderr.len() < 20_000,
            "{what}: {} bytes of diagnostics",
            ran.stderr.len()
        );
        if !ran.stderr.is_empty() {
            assert!(
                ran.stderr.starts_with("cards/bad.yaml"),
                "{what}: {:.1000}",
                ran.stderr
            );
        }
    }
}

#[test]
fn hostile_documents_neither_crash_nor_hang() {
    let files: Vec<(&str, Vec<u8>)> = vec![
        (
            "deep selections",
            format!("query Me {}", "{ a ".repeat(100_000)).into_bytes(),
        ),
        (
            "deep values",
            format!("query Me {{ a(b: {}1", "[".repeat(100_000)).into_bytes(),
        ),
        (
            "fragments in circles",
            b"query Me { ...A } fragment A on User { ...B } fragment B on User { ...A }".to_vec(),
        ),
        (
            "many aliases",
            format!(
                "query Me {{ {} }}",
                (0..50_000)
                    .map(|n| format!("a{n}: viewer {{ login }} "))
                    .collect::<String>()
            )
            .into_bytes(),
        ),
        ("NUL bytes", vec![0; 100]),
        ("not UTF-8", vec![0xff; 100]),
        ("open string", b"query Me { a(b: \"\"\"".to_vec()),
    ];
    for (what, bytes) in files {
        let place = with_good_card();
        place.write("cards/bad.yaml", changed("1.0.0", "1.0.0"));
        place.write("cards/bad.graphql", bytes);
        let started = Instant::now();
        let ran = place.line("--cards cards explain person.view");
        assert_eq!(ran.code, 0, "{what}: {:.1000}", ran.stderr);
        assert!(
            started.elapsed() < Duration::from_secs(20),
            "{what} took {:?}",
            started.elapsed()
        );
        assert!(
            ran.stderr.len() < 20_000,
            "{what}: {} bytes",
            ran.stderr.len()
        );
    }
}

/// Things that look like cards but are not files, and links that lead round in circles.
#[test]
fn hostile_folders_neither_crash_nor_hang() {
    let place = with_good_card();
    let cards = place.here().join("cards");
    for (name, target) in [
        ("a", "."),
        ("b", ".."),
        ("c", "a/b/c"),
        ("gone.yaml", "nowhere"),
        ("zero.yaml", "/dev/zero"),
        ("tty.yaml", "/dev/stdin"),
    ] {
        symlink(target, cards.join(name)).unwrap();
    }
    let pipe = place
        .command("/usr/bin/mkfifo")
        .arg(cards.join("pipe.yaml"))
        .status();
    assert!(pipe.unwrap().success());
    std::fs::create_dir_all(cards.join("folder.yaml/deep/er")).unwrap();
    let started = Instant::now();
    let ran = place.line("--cards cards explain person.view");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(
        started.elapsed() < Duration::from_secs(20),
        "{:?}",
        started.elapsed()
    );
    let mut lines: Vec<_> = ran.stderr.lines().collect();
    lines.sort_unstable();
    insta::assert_snapshot!(lines.join("\n"));
}

/// What a card calls a read must be one: it is repeated without asking.
#[test]
fn a_read_cannot_be_a_gh_command_that_writes() {
    let commands = [
        "issue comment",
        "repo delete",
        "api",
        "api list",
        "alias set",
        "extension install",
        "issue --list",
    ];
    for command in commands {
        let place = with_good_card();
        let cli = format!(
            "cli: {{command: \"{command}\", json_fields: [x], output: {{fields: {{login: x}}}}}}\nrest: {{"
        );
        place.write("cards/sly.yaml", changed("rest: {", &cli));
        place.write("cards/sly.graphql", GOOD_DOCUMENT);
        let ran = place.line("--cards cards list person");
        let said = format!("`gh {command}` is not known to be a read");
        assert!(ran.stderr.contains(&said), "{command}: {}", ran.stderr);
        assert!(!ran.stdout.contains("person.bad"), "{command}");
    }
}
