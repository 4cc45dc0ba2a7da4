//! From words to a typed input. A dry run shows what was understood.

use serde_json::{Value, json};

use super::harness::{Place, Ran};

fn create(words: &[&str]) -> Ran {
    let args = [
        "run",
        "issue.create",
        "-R",
        "acme/rocket",
        "--route",
        "rest",
        "--dry-run",
    ];
    Place::new().run(&[&args[..], words].concat())
}

/// The body that would create the issue.
#[track_caller]
fn body(words: &[&str]) -> Value {
    let ran = create(words);
    assert_eq!(ran.code, 0, "{words:?}: {ran:?}");
    let requests = ran.json()["requests"].clone();
    requests.as_array().unwrap().last().unwrap()["body"].clone()
}

#[test]
fn words_are_read_by_the_type_of_their_input() {
    // A title is a text whatever it looks like.
    for title in [
        "true",
        "12",
        "null",
        "1.5e3",
        "[]",
        "{\"a\":1}",
        "  ",
        "a=b=c",
        "日本語 🚀 e\u{301}",
        "-x",
        "\\n",
        "a,b",
    ] {
        assert_eq!(body(&[&format!("title={title}")])["title"], title);
    }
    assert_eq!(body(&["title=x", "milestone=3"])["milestone"], 3);
}

#[test]
fn lists_are_given_with_commas_or_word_by_word() {
    let both = json!(["bug", "propulsion"]);
    for words in [
        &["labels=bug,propulsion"][..],
        &["labels=bug", "labels=propulsion"],
        &["labels= bug , propulsion "],
        &["labels:=[\"bug\",\"propulsion\"]"],
        &["labels:=[\"bug\"]", "labels=propulsion"],
    ] {
        assert_eq!(
            body(&[&["title=x"], words].concat())["labels"],
            both,
            "{words:?}"
        );
    }
    // A name with a comma needs JSON.
    let one = json!(["good, first"]);
    assert_eq!(
        body(&["title=x", "labels:=[\"good, first\"]"])["labels"],
        one
    );
    let over = [
        "--input",
        "{\"title\":\"x\",\"labels\":[\"bug\"]}",
        "labels=propulsion",
    ];
    assert_eq!(
        body(&over)["labels"],
        json!(["propulsion"]),
        "words win over --input"
    );
}

#[test]
fn an_empty_word_is_an_empty_text_or_an_empty_list() {
    assert_eq!(body(&["title=x", "body="])["body"], "");
    let none = body(&["title=x", "labels="]);
    assert_eq!(none.get("labels").unwrap_or(&json!([])), &json!([]));
    let add = "run issue.labels.add -R acme/rocket issue_number=1 labels= --dry-run";
    let message = Place::new().line(add).json()["error"]["message"].clone();
    let expected = "bad input for issue.labels.add: `labels` is empty: expected at least one";
    assert_eq!(message, expected);
    assert_eq!(
        create(&["title="]).json()["error"]["message"],
        "bad input for issue.create: `title` is empty: expected a text"
    );
}

#[test]
fn booleans_and_nothing_are_typed_too() {
    let args = [
        "run",
        "pr.create",
        "-R",
        "acme/rocket",
        "--route",
        "rest",
        "--dry-run",
        "title=x",
        "head=a",
        "base=main",
    ];
    let draft = |word: &str| Place::new().run(&[&args[..], &[word]].concat());
    let last = |ran: &Ran| {
        ran.json()["requests"].as_array().unwrap().last().unwrap()["body"]["draft"].clone()
    };
    assert_eq!(last(&draft("draft=true")), true);
    assert_eq!(last(&draft("draft=false")), false);
    for wrong in ["draft=yes", "draft=1", "draft=True", "draft="] {
        let ran = draft(wrong);
        assert_eq!(ran.code, 2, "{wrong}: {ran:?}");
        assert!(ran.stdout.contains("expected boolean"), "{}", ran.stdout);
    }
}

#[test]
fn a_card_may_take_null_and_a_word_can_say_so() {
    let place = Place::new();
    place.write(
        "cards/set.yaml",
        r#"
capability_id: milestone.put
version: 1.0.0
description: Put a milestone.
operation: WRITE
input_schema:
  type: object
  properties: {milestone: {type: [integer, "null"]}, weight: {type: number}, extra: {type: object}, free: {}}
output_schema: {type: object, properties: {}}
no_graphql: this card is about REST
rest: {method: PATCH, path: /x, body: {m: "{milestone}", w: "{weight}", e: "{extra}", f: "{free}"}, output: {fields: {}}}
"#,
    );
    let read = |words: &[&str]| {
        let args = ["--cards", "cards", "run", "milestone.put", "--dry-run"];
        let ran = place.run(&[&args[..], words].concat());
        assert_eq!((ran.code, &*ran.stderr), (0, ""), "{words:?}: {ran:?}");
        ran.json()["requests"][0]["body"].clone()
    };
    assert_eq!(read(&["milestone=null"])["m"], Value::Null);
    assert_eq!(read(&["milestone=4"])["m"], 4);
    assert_eq!(read(&["weight=1.5"])["w"], 1.5);
    assert_eq!(read(&["weight=-2"])["w"], -2);
    assert_eq!(read(&["extra={\"a\":[1]}"])["e"], json!({"a": [1]}));
    assert_eq!(read(&["free=12"])["f"], "12", "no type: a text");
    assert_eq!(read(&["free:=12"])["f"], 12);
}

#[test]
fn json_comes_as_an_argument_or_on_standard_input() {
    let input = r#"{"owner":"acme","repo":"rocket","title":"Ünïcödé","labels":["bug"]}"#;
    let args = [
        "run",
        "issue.create",
        "--route",
        "rest",
        "--dry-run",
        "--input",
    ];
    let place = Place::new();
    let given = place.run(&[&args[..], &[input]].concat());
    let piped = place.run_with(&[&args[..], &["-"]].concat(), input.as_bytes());
    assert_eq!(given.code, 0, "{given:?}");
    assert_eq!(given.stdout, piped.stdout);
    let over = place.run_with(
        &[&args[..], &["-", "title=Other", "-R", "acme/rocket"]].concat(),
        input.as_bytes(),
    );
    let body = &over.json()["requests"]
        .as_array()
        .unwrap()
        .last()
        .unwrap()
        .clone();
    assert_eq!(body["body"]["title"], "Other");
    assert!(
        body["path"].as_str().unwrap().contains("/acme/rocket/"),
        "{body}"
    );
}

#[test]
fn what_is_malformed_is_said_clearly() {
    let mut said = String::new();
    let deep = "[".repeat(100_000);
    let mut check = |what: &str, words: &[&str], stdin: &[u8]| {
        let args = [&["run", "issue.create", "owner=acme", "repo=rocket"], words].concat();
        let ran = Place::new().run_with(&args, stdin);
        assert_eq!(ran.code, 2, "{what}: {ran:?}");
        said.push_str(&format!("## {what}\n{}{}", ran.stdout, ran.stderr));
    };
    check("no name", &["=x"], b"");
    check("no name, JSON", &[":=1"], b"");
    check("no value", &["title"], b"");
    check("bad JSON", &["title:=x"], b"");
    check("near name", &["titel=x"], b"");
    check("far name", &["zzz=x", "title=y"], b"");
    check("several at once", &["milestone:=true", "labels:=3"], b"");
    check("input is not JSON", &["--input", "title=x"], b"");
    check("input is a list", &["--input", "[]"], b"");
    check("nothing on standard input", &["--input", "-"], b"");
    check(
        "not UTF-8 on standard input",
        &["--input", "-"],
        b"\xff\xfe",
    );
    check("two documents", &["--input", "-"], b"{} {}");
    check("too deep", &["--input", "-"], deep.as_bytes());
    check("too large", &["--input", "-"], &vec![b' '; 9 * 1024 * 1024]);
    check("repository without owner", &["-R", "rocket"], b"");
    insta::assert_snapshot!(said);
}

#[test]
fn numbers_out_of_range_are_refused() {
    for number in ["0", "-1", "1.5", "99999999999999999999", "1e3", "0x10", "१"] {
        let word = format!("issue_number={number}");
        let ran = Place::new().run(&["run", "issue.view", "-R", "acme/rocket", &word]);
        assert_eq!(ran.code, 2, "{number}: {ran:?}");
        let field = &ran.json()["error"]["details"]["fields"][0]["field"];
        assert_eq!(field, "issue_number", "{ran:?}");
    }
}

/// One of the two values would be lost without a word.
#[test]
fn what_is_given_twice_is_refused() {
    let place = Place::new();
    let view = ["--demo", "run", "issue.view"];
    for (words, stdin, said) in [
        (
            &["issue_number=1", "issue_number=2"][..],
            "",
            "`issue_number` is given twice",
        ),
        (
            &["issue_number=1", "issue_number=1"],
            "",
            "`issue_number` is given twice",
        ),
        (
            &["issue_number=1", "issue_number:=2"],
            "",
            "`issue_number` is given twice",
        ),
        (
            &["--input", r#"{"issue_number":1,"issue_number":2}"#],
            "",
            "--input: the key `issue_number` is given twice",
        ),
        (
            &["--input", "-"],
            r#"{"issue_number":1,"issue\u005fnumber":2}"#,
            "the key `issue_number` is given twice",
        ),
        (
            &["issue_number=1", r#"x:={"a":[{"b":1,"b":2}]}"#],
            "",
            "`x:=`: the key `b` is given twice in `a[0]`",
        ),
        (
            &["issue_number=1", "-R", "acme/rocket", "owner=other"],
            "",
            "name two repositories",
        ),
        (
            &[
                "-R",
                "acme/rocket",
                "--input",
                r#"{"owner":"acme","repo":"launchpad","issue_number":1}"#,
            ],
            "",
            "`-R acme/rocket` and `repo` of --input name two repositories",
        ),
    ] {
        let ran = place.run_with(&[&view[..], words].concat(), stdin.as_bytes());
        assert_eq!((ran.code, &*ran.stdout), (2, ""), "{words:?}: {ran:?}");
        assert!(ran.stderr.contains(said), "{words:?}: {}", ran.stderr);
    }
    for (text, said) in [
        (
            r#"[{"task":"issue.view","input":{"issue_number":1,"issue_number":2}}]"#,
            "the key `issue_number` is given twice in `[0].input`",
        ),
        (
            r#"{"steps":[{"task":"issue.view","task":"issue.close","input":{"issue_number":1}}]}"#,
            "the key `task` is given twice in `steps[0]`",
        ),
        (
            "{\"task\":\"repo.view\"}\n{\"task\":\"issue.view\",\"input\":{\"issue_number\":1,\"issue_number\":2}}\n",
            "the key `issue_number` is given twice in `input`",
        ),
    ] {
        let ran = place.run_with(&["--demo", "chain", "-"], text.as_bytes());
        assert_eq!((ran.code, &*ran.stdout), (2, ""), "{text}: {ran:?}");
        assert!(ran.stderr.contains(said), "{text}: {}", ran.stderr);
    }
    let ran = place.run(&[
        "--demo",
        "exec",
        "-e",
        "1",
        "--args",
        r#"{"a":1,"a":2}"#,
        "--intent",
        "x",
    ]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.stderr.contains("the key `a` is given twice"), "{ran:?}");
}

/// JSON does not tell `1.0` from `1`; GitHub does.
#[test]
fn whole_numbers_in_any_spelling_are_whole_numbers() {
    let place = Place::new();
    for number in ["1", "1.0", "1e0", "10e-1", "100E-2"] {
        for route in ["graphql", "rest"] {
            let input = format!(r#"{{"issue_number":{number}}}"#);
            let ran = place.run(&[
                "--demo",
                "run",
                "issue.view",
                "--route",
                route,
                "--input",
                &input,
            ]);
            assert_eq!(ran.code, 0, "{number} {route}: {ran:?}");
            assert_eq!(ran.json()["data"]["number"].to_string(), "1");
        }
    }
    for number in [
        "1.5",
        "-0.0",
        "-1.0",
        "1e20",
        "123456789012345678901234567890",
        "1e308",
    ] {
        let input = format!(r#"{{"issue_number":{number}}}"#);
        let ran = place.run(&["--demo", "run", "issue.view", "--input", &input]);
        assert_eq!(ran.code, 2, "{number}: {ran:?}");
        let field = &ran.json()["error"]["details"]["fields"][0];
        assert_eq!(field["field"], "issue_number", "{ran:?}");
    }
    let ran = place.run(&[
        "--demo",
        "run",
        "issue.view",
        "--input",
        r#"{"issue_number":1e400}"#,
    ]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.stderr.contains("number out of range"), "{ran:?}");
}

/// What was sent is not sent back, however long it is.
#[test]
fn long_inputs_are_not_repeated_in_errors() {
    let place = Place::new();
    let long = "x".repeat(300);
    let many: Vec<_> = (0..10_001).map(|nth| format!("{nth}{long}")).collect();
    let mut deep = json!(1);
    for _ in 0..100 {
        deep = json!([deep]);
    }
    let key = "k".repeat(100_000);
    for input in [
        json!({"issue_number": 1, "labels": many}),
        json!({"issue_number": 1, "labels": vec!["same"; 10_001]}),
        json!({"issue_number": 1, "labels": (0..10_001).collect::<Vec<_>>()}),
        json!({"issue_number": 1, "labels": [deep]}),
        json!({"issue_number": "x".repeat(1_000_000), "labels": ["bug"]}),
        json!({"issue_number": 1, "labels": ["bug"], key: 1}),
        json!({"issue_number": 1, "labels": {"a": many}}),
    ] {
        let args = ["--demo", "run", "issue.labels.add", "--input", "-"];
        let ran = place.run_with(&args, input.to_string().as_bytes());
        assert_eq!(ran.code, 2);
        assert!(
            ran.stdout.len() < 12_000,
            "{} bytes: {:.300}",
            ran.stdout.len(),
            ran.stdout
        );
        let kept = place.run(&["--demo", "trace", "list"]);
        assert!(kept.stdout.len() < 100_000, "{} bytes", kept.stdout.len());
        let step = json!([{"task": "issue.labels.add", "input": input}]);
        let ran = place.run_with(&["--demo", "chain", "-"], step.to_string().as_bytes());
        assert_eq!(ran.code, 2);
        assert!(ran.stdout.len() < 12_000, "{} bytes", ran.stdout.len());
    }
    let reference = format!("$0{}", ".data".repeat(100_000));
    let steps = json!([
        {"task": "issue.view", "input": {"issue_number": 1}},
        {"task": "issue.comments.create", "input": {"issue_number": 1, "body": reference}},
    ]);
    let ran = place.run_with(&["--demo", "chain", "-"], steps.to_string().as_bytes());
    assert_eq!(ran.code, 2);
    assert!(ran.stdout.len() < 12_000, "{} bytes", ran.stdout.len());
}

/// A program that is missing is nothing that a login would mend.
#[test]
fn a_route_whose_program_is_missing_is_not_supported() {
    let ran = Place::new().env("GITHUB_TOKEN", "any").run(&[
        "run",
        "issue.view",
        "-R",
        "acme/rocket",
        "issue_number=1",
        "--route",
        "cli",
    ]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let error = &ran.json()["error"];
    assert_eq!(error["code"], "ADAPTER_UNSUPPORTED");
    assert_eq!(error["retryable"], false);
    let said = error["message"].as_str().unwrap();
    assert!(
        said.contains("`gh` is not installed: see https://cli.github.com"),
        "{said}"
    );
}
