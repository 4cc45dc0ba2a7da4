//! What somebody outside once broke, through the binary alone: each of these was wrong data, or a surprise, that no
//! test of a part had seen.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use github_sim::{Fault, FaultKind};
use serde_json::{Value, json};

use crate::cli::harness::{Github, Place, Ran};

/// A GitHub whose requests are seen, and a place that talks to it.
fn online() -> (Github, Place) {
    let github = Github::demo();
    let place = Place::new().online(&github);
    (github, place)
}

fn has_written(github: &Github) -> bool {
    github.sim.requests().iter().any(|it| it.applied)
}

fn exec(place: &Place, code: &str) -> Value {
    let ran = place.run(&["--demo", "--json", "exec", "-e", code, "--intent", "try it"]);
    ran.json()
}

#[test]
fn a_composite_runs_although_its_part_refers_to_definitions() {
    let (_github, place) = online();
    let skills = r##"
id: part
level: 1
description: Gives a point
code: "return { point: { x: args.x } }"
operation: TRANSFORM
input_schema: { type: object, properties: { x: { $ref: "#/$defs/n" } }, required: [x], $defs: { n: { type: integer } } }
output_schema:
  type: object
  properties: { point: { $ref: "#/$defs/point" } }
  required: [point]
  $defs: { point: { type: object, properties: { x: { type: integer } } } }
---
id: whole
level: 2
description: The same as a composite
composes: [part]
"##;
    let file = place.write("skills.yaml", skills);
    let file = file.to_str().unwrap();
    assert_eq!(place.run(&["check", file]).code, 0);
    let ran = place.run(&["--json", "--skills", file, "run", "whole", "x=1"]);
    assert_eq!(ran.json()["data"], json!({"point": {"x": 1}}), "{ran:?}");
}

#[test]
fn a_cursor_is_followed_without_its_page_size() {
    let (_github, place) = online();
    let list = |more: &str| -> Value {
        let line = format!("--json run workflow.runs.list -R acme/rocket --fields id {more}");
        place.line(line.trim()).json()
    };
    let mut page = list("first=2");
    let total = page["meta"]["pagination"]["total"].clone();
    let mut seen = Vec::new();
    loop {
        seen.extend(page["data"]["runs"].as_array().unwrap().clone());
        let Some(cursor) = page["meta"]["pagination"]["end_cursor"].as_str() else {
            break;
        };
        page = list(&format!("after={cursor}"));
    }
    assert_eq!(json!(seen.len()), total);
    let before = seen.len();
    seen.sort_by_key(ToString::to_string);
    seen.dedup();
    assert_eq!(seen.len(), before, "no row comes twice");
}

#[test]
fn what_nearly_is_a_reference_is_not_posted() {
    let (github, place) = online();
    for body in [
        "$i.data.labels.0",
        "$i.data.labels[*]",
        "$i.data[\"title\"]",
        "$i",
        " $i.data.title",
    ] {
        let repository = json!({"owner": "acme", "repo": "rocket", "issue_number": 1});
        let mut comment = repository.clone();
        comment["body"] = json!(body);
        let chain = json!([
            {"task": "issue.view", "as": "i", "input": repository},
            {"task": "issue.comments.create", "input": comment},
        ]);
        let ran = place.run_with(&["--json", "chain", "-"], chain.to_string().as_bytes());
        assert_eq!(ran.code, 2, "{body}: {ran:?}");
        let error = &ran.json()["results"][1]["error"];
        assert!(
            error["message"].as_str().unwrap().contains("reference"),
            "{error}"
        );
        assert!(!has_written(&github), "{body}");
    }
}

#[test]
fn results_of_code_are_json_or_refused_with_their_path() {
    let place = Place::new();
    let given = exec(
        &place,
        "return {map: new Map([['k', 1]]), set: new Set([1])}",
    );
    assert_eq!(
        given["data"],
        json!({"map": {"k": 1}, "set": [1]}),
        "{given}"
    );
    let refused = exec(&place, "return {a: [1, NaN]}");
    let message = refused["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("NaN at `result.a[1]`"), "{refused}");
}

#[test]
fn labels_are_a_list_in_every_view() {
    let (_github, place) = online();
    let listed = place.line("--json run issue.list -R acme/rocket first=1 --fields number,labels");
    let listed = &listed.json()["data"]["issues"][0];
    let number = &listed["number"];
    let line = format!("--json run issue.view -R acme/rocket issue_number={number}");
    let viewed = place.line(&line).json();
    assert!(listed["labels"].is_array(), "{listed}");
    assert_eq!(listed["labels"], viewed["data"]["labels"]);
}

#[test]
fn three_hundred_silent_connections_keep_nobody_out() {
    let place = Place::new();
    let server = crate::serve::server::Server::start(&place, &["--demo"]);
    let connect = |_| TcpStream::connect(&server.address).unwrap();
    let held: Vec<_> = (0..300).map(connect).collect();
    let mut asking = connect(300);
    // Silent connections are let go after thirty seconds; nobody has to wait that long.
    asking
        .set_read_timeout(Some(Duration::from_secs(15)))
        .unwrap();
    write!(
        asking,
        "GET /health HTTP/1.1\r\nHost: {}\r\n\r\n",
        server.address
    )
    .unwrap();
    let mut answer = [0; 12];
    asking.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"HTTP/1.1 200");
    drop(held);
}

/// The pause belongs to the login, so another route would be refused too, and held against it.
#[test]
fn a_write_that_is_told_to_wait_is_not_tried_on_another_route() {
    let (github, place) = online();
    let wait = FaultKind::Status429 {
        retry_after: Some(60),
    };
    github.sim.inject(Fault::once(wait).on_writes());
    let ran =
        place.line("--json run issue.comments.create -R acme/rocket issue_number=1 body=Hello");
    let error = &ran.json()["error"];
    assert_eq!(error["code"], "RATE_LIMIT", "{ran:?}");
    assert_eq!(error["details"]["outcome"], "not_applied", "{ran:?}");
    assert!(!has_written(&github));
}

#[test]
fn code_has_what_the_web_has() {
    let place = Place::new();
    let code = "const url = new URL('https://a.example/b?c=1');
        const bytes = new TextEncoder().encode('é');
        const copy = structuredClone({ when: [1] });
        return [url.searchParams.get('c'), bytes.length, copy.when[0], btoa('hi'), 'a'.localeCompare('b'),
            (1234.5).toLocaleString('en-US'), crypto.randomUUID().length]";
    let ran = exec(&place, code);
    let expected = json!(["1", 2, 1, "aGk=", -1, "1,234.5", 36]);
    assert_eq!(ran["data"], expected, "{ran}");
    let fetched = exec(&place, "return await fetch('https://a.example')");
    let message = fetched["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("capstan."), "{fetched}");
}

#[test]
fn errors_of_code_name_the_function_and_the_line_of_the_typescript() {
    let place = Place::new();
    let code = "interface A { b: number }\nconst x: A = { b: 1 };\ntry { (x as any).nothing() } catch (e) { return [e.message, e.stack] }";
    let ran = exec(&place, code);
    assert_eq!(ran["data"][0], "`x.nothing` is not a function", "{ran}");
    let stack = ran["data"][1].as_str().unwrap();
    assert!(stack.contains(".ts:3:"), "{stack}");
}

#[test]
fn the_cost_of_a_call_is_told_on_request() {
    let (_github, place) = online();
    let line = "--json run issue.view -R acme/rocket issue_number=1 --fields number --cost";
    let cost = place.line(line).json()["meta"]["cost"].clone();
    for side in ["tokens_in", "tokens_out"] {
        assert!(
            cost[side].as_u64().is_some_and(|tokens| tokens > 0),
            "{cost}"
        );
    }
}

/// Two requirements that only older versions satisfy, ranges without any version, and versions before a release.
#[test]
fn versions_are_chosen_as_npm_would() {
    let place = Place::new();
    let part = |version: &str, needs: &str| {
        format!(
            "id: part\nversion: {version}\nlevel: 1\ndescription: Part\ncode: \"return {{ v: '{version}' }}\"\noperation: TRANSFORM\ninput_schema: {{type: object}}\noutput_schema: {{type: object, properties: {{v: {{type: string}}}}}}\n{needs}---\n"
        )
    };
    let whole = |range: &str| {
        format!("id: whole\nlevel: 2\ndescription: Whole\ncomposes: [{{skill: part{range}}}]\n")
    };
    let run = |text: &str| -> Ran {
        let file = place.write("skills.yaml", text);
        place.run(&[
            "--demo",
            "--json",
            "--skills",
            file.to_str().unwrap(),
            "run",
            "whole",
        ])
    };
    let all = [part("1.0.0", ""), part("1.1.0", ""), part("2.0.0-rc.1", "")].concat();
    let newest = run(&format!("{all}{}", whole("")));
    assert_eq!(newest.json()["data"], json!({"v": "1.1.0"}), "{newest:?}");
    let asked = run(&format!("{all}{}", whole(", version: 2.0.0-rc.1")));
    assert_eq!(
        asked.json()["data"],
        json!({"v": "2.0.0-rc.1"}),
        "{asked:?}"
    );
    let none = run(&format!("{all}{}", whole(", version: '>=2.0.0 <1.0.0'")));
    assert_eq!(none.code, 2, "{none:?}");
}
