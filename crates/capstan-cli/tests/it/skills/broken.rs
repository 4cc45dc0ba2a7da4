//! A skill with an error in its file is not run, served or offered, whoever asks for it: what could not be
//! read may be the guard of a write.

use std::path::Path;

use serde_json::{Value, json};

use super::world::{Workshop, rocket};
use crate::cli::harness::{Github, Place};
use crate::code::surface::{Server, Surface as _, World};

const HEAD: &str = "level: 2
composes: [issue.view, issue.close]
input_schema:
  type: object
  properties:
    owner: {type: string}
    repo: {type: string}
    issue_number: {type: integer, minimum: 1}
    really: {type: boolean}
  required: [owner, repo, issue_number, really]
";

const STEPS: &str = "execution:\n  - step: issue.view\n  - step: issue.close\n";

/// What stands with the step that closes the issue, where `condition: $input.really == true` was meant.
const GUARDS: [&str; 40] = [
    "    condtion: $input.really == true",
    "    Condition: $input.really == true",
    "    conditions: [$input.really == true]",
    "    if: $input.really == true",
    "    when: $input.really == true",
    "    unless: $input.really == false",
    "    condition: $input.really = true",
    "    condition: $input.really === true",
    "    condition: ${{ input.really == true }}",
    "    condition: '${{ inputs.really }}'",
    "    condition: $input.really | truthy",
    "    condition: $input.really == true &&",
    "    condition: ($input.really == true",
    "    condition: '$input.really ? true : false'",
    "    condition: eq($input.really, true)",
    "    condition: $input.really ≥ true",
    "    condition: null",
    "    condition:",
    "    condition: ''",
    "    condition: '  '",
    "    condition: 0",
    "    condition: '\"$input.really == true\"'",
    "    condition: '$input.really == true or \"no\"'",
    "    condition: [$input.really == true]",
    "    condition: {equal: [$input.really, true]}",
    "    condition: $inputs.really == true",
    "    condition: $input.realy == true",
    "    condition: input.really == true",
    "    condition: $look.output.state == 'open'",
    "    condition: $input.really == 'true'",
    "    condition: $input",
    "    condition: $issue.view.output",
    "    condition: not $input",
    "    condition: $input.really == true or $issue.view.output",
    "    inputs: {condition: $input.really == true}",
    "    condition: $input.really == true\n    condition: true",
    "      condition: $input.really == true",
    "\tcondition: $input.really == true",
    "  condition: $input.really == true",
    "condition: $input.really == true",
];

/// Whoever names a file wants what is in it.
#[test]
fn a_named_file_without_a_skill_is_told_of_by_list_and_search() {
    for (file, text, words) in [
        ("b.yaml", "id: [broken\n", "b.yaml:"),
        ("note.txt", "just a note\n", "note.txt"),
        ("empty.yaml", "", "there is no skill in this file"),
        (
            "SKILL.md",
            "---\nname: a\ndescription: b\n---\n# Do it\n",
            "is an Agent Skill, so it adds no skills",
        ),
        ("no.yaml", "level: 1\ncard: issue.view\n", "no.yaml"),
        ("folder/b.yaml", "id: [broken\n", "folder/b.yaml:"),
    ] {
        let place = Place::new();
        place.write(file, text);
        let named = file.split('/').next().unwrap();
        for line in [
            format!("--skills {named} list --kind skill"),
            format!("--skills {named} search something"),
            format!("--skills {named} search something --deps"),
        ] {
            let ran = place.line(&line);
            assert_eq!(ran.code, 0, "{line}: {ran:?}");
            assert!(ran.stderr.contains(words), "{line}: {ran:?}");
            assert_eq!(ran.stderr.trim().lines().count(), 1, "{line}: {ran:?}");
        }
    }
    let place = Place::new();
    let ran = place.line("--skills gone.yaml list --kind skill");
    assert_eq!(ran.stderr.matches("gone.yaml").count(), 1, "{ran:?}");
    // A broken skill that is named is told of once, with its name.
    place.write(
        "named.yaml",
        "id: named\nlevel: 1\ncard: issue.view\ntypo: 1\n",
    );
    let ran = place.line("--skills named.yaml list --kind skill");
    assert_eq!(ran.stderr.matches("E041").count(), 1, "{ran:?}");
}

/// The guard stands where none can stand.
const MISPLACED: [&str; 5] = [
    "level: 2\ncomposes: [issue.view, {skill: issue.close, condition: $input.really == true}]\n",
    "level: 2\ncomposes: [issue.view, {skill: issue.close, when: $input.really == true}]\n",
    "level: 2\ncomposes: [issue.view, issue.close]\nexecution:\n  - step: issue.view\n  \
     - parallel: [{step: issue.close}]\n    condition: $input.really == true\n",
    "level: 2\ncomposes: [issue.view, issue.close]\n\
     execution: {issue.close: {condition: $input.really == true}}\n",
    "level: 1\ncard: issue.close\ncondition: $input.really == true\n",
];

/// Files that would close an issue if what is wrong with them were passed over.
const MALFORMED: [&str; 32] = [
    "level: 1\ncard: issue.close\nversion: one\n",
    "level: 1\ncard: issue.close\nversion: [1]\n",
    "level: 1\ncard: issue.close\ncard_: x\n",
    "level: 1\ncard: issue.close\ntool: files.read\n",
    "level: 1\ncard: issue.close\ndescription: [a, b]\n",
    "level: 1\ncard: issue.close\ninput_schema: {type: objekt}\n",
    "level: 1\ncard: issue.close\ninput_schema: 5\n",
    "level: 1\ncard: issue.close\noutput_schema: {properties: []}\n",
    "level: 1\ncard: issue.close\neffects: write\n",
    "level: 1\ncard: issue.close\neffects: [{a: b}]\n",
    "level: 1\ncard: issue.close\noperation: DELETE\n",
    "level: 1\ncard: issue.close\noperation: 1\n",
    "level: 1\ncard: issue.close\nretry: often\n",
    "level: 1\ncard: issue.close\nretry: {max_attempts: 0}\n",
    "level: 1\ncard: issue.close\nretry: {max_attempts: 2, retry_on: [Everything]}\n",
    "level: 1\ncard: issue.close\nretry: {backoff: sometimes}\n",
    "level: 1\ncard: issue.close\ntimeout_ms: -1\n",
    "level: 1\ncard: issue.close\ntimeout_ms: soon\n",
    "level: 1\ncard: issue.close\ncache: always\n",
    "level: 1\ncard: issue.close\ndeprecated: {sunset: someday}\n",
    "level: 1\ncard: issue.close\ndeprecated: yes\n",
    "level: 1\ncard: issue.close\nchangelog: new\n",
    "level: 1\ncard: issue.close\nintents: close it\n",
    "level: 1\ncard: issue.close\nrequires: [{skill: other}]\n",
    "level: 1\ncard: issue.close\nrequires: other\n",
    "level: 2\ncomposes: [issue.close, {as: x}]\n",
    "level: 2\ncomposes: [issue.close, 5]\n",
    "level: 2\ncomposes: [{skill: issue.close, version: newest}]\n",
    "level: 2\ncomposes: [{skill: issue.close, inputs: [a]}]\n",
    "level: 2\ncomposes: [issue.close]\noutputs: [state]\n",
    "level: 2\ncomposes: [issue.close]\nexecution: [{step: issue.close, timeout_ms: 0}]\n",
    "level: 2\ncomposes: [issue.close]\nexecution: [{step: issue.close}, later]\n",
];

/// A folder with one file for each of them, and the names of what is in it.
fn broken() -> (Workshop, Vec<String>) {
    let guarded = GUARDS.iter().map(|guard| format!("{HEAD}{STEPS}{guard}\n"));
    let others = MISPLACED.iter().chain(&MALFORMED);
    let all: Vec<String> = guarded.chain(others.map(|it| (*it).to_owned())).collect();
    let github = Github::serving(github_sim::Sim::demo());
    let place = Place::new().online(&github);
    let mut names = Vec::new();
    for (index, text) in all.iter().enumerate() {
        let name = format!("broken-{index:02}");
        place.write(
            &format!("broken/{name}.yaml"),
            format!("id: {name}\n{text}"),
        );
        names.push(name);
    }
    place.write(
        "broken/well.yaml",
        format!("id: well\n{HEAD}{STEPS}    condition: $input.really == true\n"),
    );
    let folder = place.here().join("broken");
    let world = World::at(place, &["--skills", folder.to_str().unwrap()]);
    (Workshop { github, world }, names)
}

fn input() -> Value {
    rocket(json!({"issue_number": 1, "really": false}))
}

/// What is given to those that take nothing else.
fn plain_input() -> Value {
    rocket(json!({"issue_number": 1}))
}

fn refused(name: &str, envelope: &Value) {
    assert_eq!(envelope["ok"], false, "{name}: {envelope}");
    let message = envelope["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("error[E0"), "{name}: {envelope}");
}

#[test]
fn broken_guards_and_malformed_files_write_nothing_from_the_command_line() {
    let (workshop, names) = broken();
    for (index, name) in names.iter().enumerate() {
        // Those with a guard take what the guard looks at.
        let is_guarded = index < GUARDS.len();
        let input = if is_guarded { input() } else { plain_input() };
        refused(name, &workshop.run(name, &input));
    }
    let well = workshop.run("well", &input());
    assert_eq!(well["ok"], true, "{well}");
    assert_eq!(workshop.written(), Vec::<String>::new());
    assert_eq!(workshop.state_of(1), "open");
}

#[test]
fn broken_guards_and_malformed_files_write_nothing_over_mcp_and_in_chains() {
    let (workshop, names) = broken();
    let mut server = workshop.world.server();
    for name in &names {
        for input in [input(), plain_input()] {
            let alone = server.execute(&json!({"capability": name, "input": input}));
            refused(name, &alone);
            let chain = json!({"steps": [
                {"task": "issue.view", "input": plain_input()},
                {"task": name, "input": input},
            ]});
            let chained = server.execute(&chain);
            refused(name, &chained["results"][1]);
        }
    }
    server.end();
    assert_eq!(workshop.written(), Vec::<String>::new());
}

#[test]
fn broken_guards_and_malformed_files_write_nothing_when_code_calls_them() {
    let (workshop, names) = broken();
    let code = "const told = [];
        for (const name of args.names) for (const input of args.inputs) {
            try { await caps[name](input); told.push(`${name} ran`) }
            catch (error) { if (!`${error.message}`.includes('error[E0')) told.push(error.message) }
        }
        return told";
    let args = json!({"names": names, "inputs": [input(), plain_input()]});
    let ran = workshop.world.cli().exec("call them all", code, &args);
    assert_eq!(ran["data"], json!([]), "{ran}");
    assert_eq!(workshop.written(), Vec::<String>::new());
}

#[test]
fn what_has_errors_is_not_served_explained_found_or_suggested() {
    let (workshop, names) = broken();
    let world = &workshop.world;
    let mut server = world.server();
    let list = ask(&mut server, "skills/list", &json!({}));
    let resources = ask(&mut server, "resources/list", &json!({}));
    for answer in [&list, &resources] {
        let answer = answer.to_string();
        assert!(!answer.contains("skill://broken-"), "{answer}");
        assert!(answer.contains("skill://well/"), "{answer}");
    }
    for name in &names {
        let uri = format!("skill://{name}/SKILL.md");
        for (method, params) in [
            ("skills/get", json!({"uri": uri})),
            ("resources/read", json!({"uri": uri})),
            (
                "resources/read",
                json!({"uri": format!("skill://{name}/skill.yaml")}),
            ),
        ] {
            let answer = ask(&mut server, method, &params);
            assert!(answer.get("error").is_some(), "{name}: {answer}");
        }
    }
    server.end();
    for name in names.iter().step_by(7) {
        let explained = world.capstan(&["explain", name]);
        assert_eq!(explained["ok"], false, "{explained}");
        let drawn = world.capstan(&["skill", "graph", name]);
        assert_eq!(drawn["ok"], false, "{drawn}");
    }
    let found = world.capstan(&["search", "broken close issue", "--kind", "skill"]);
    assert!(!found.to_string().contains("\"broken-"), "{found}");
    let suggested = world.capstan(&["suggest", "run broken-00 in acme/rocket for issue 1"]);
    let data = &suggested["data"];
    for part in [&data["suggestions"], &data["plan"]] {
        assert!(!part.to_string().contains("\"broken-00\""), "{suggested}");
    }
}

/// The answer, whether it is one or an error.
fn ask(server: &mut Server, method: &str, params: &Value) -> Value {
    let id = server.send(method, params);
    let answer = server.receive().unwrap();
    assert_eq!(answer["id"], id);
    match answer.get("result") {
        Some(result) => result.clone(),
        None => answer,
    }
}

#[test]
fn one_bad_skill_of_a_file_does_not_stop_the_others() {
    let workshop = Workshop::with(
        "id: look\nlevel: 1\ncard: issue.view\n---\n\
         id: over-look\nlevel: 2\ncomposes: [look]\n---\n\
         id: shut\nlevel: 1\ncard: issue.close\nwhen: $input.really\n---\n\
         id: over-shut\nlevel: 2\ncomposes: [look, shut]\n---\n\
         id: over-all\nlevel: 3\ncomposes: [over-shut]\n",
    );
    for name in ["look", "over-look"] {
        assert_eq!(workshop.run(name, &plain_input())["ok"], true, "{name}");
    }
    for name in ["shut", "over-shut", "over-all"] {
        refused(name, &workshop.run(name, &plain_input()));
    }
    assert_eq!(workshop.written(), Vec::<String>::new());
}

/// A document of which no skill could be made: whoever names it does not get an older one instead.
#[test]
fn nothing_takes_the_place_of_a_skill_that_cannot_be_read() {
    let older = "id: shut\nlevel: 1\nversion: 1.0.0\ncard: issue.close\n";
    for newer in [
        "id: shut\nversion: 2.0.0\ncard: issue.view\n",
        "id: shut\nlevel: 7\nversion: 2.0.0\ncard: issue.view\n",
        "id: shut\nlevel: 1\nversion: 1.0.0\ncard: issue.view\n",
        "level: 1\nversion: 2.0.0\ncard: issue.view\n",
        "- id: shut\n",
    ] {
        let over = "id: over-shut\nlevel: 2\ncomposes: [shut]\n";
        let workshop = Workshop::with(&format!("{older}---\n{newer}---\n{over}"));
        for name in ["shut", "over-shut"] {
            refused(name, &workshop.run(name, &plain_input()));
        }
        assert_eq!(workshop.written(), Vec::<String>::new(), "{newer}");
    }
}

/// The version that is run counts, not the one that a part of it would choose alone.
#[test]
fn errors_count_in_the_versions_that_are_run() {
    let part = |version: &str, more: &str| {
        format!("id: shut\nlevel: 1\nversion: {version}\ncard: issue.close\n{more}---\n")
    };
    let skills = [
        part("1.0.0", "when: $input.really\n"),
        part("2.0.0", ""),
        "id: middle\nlevel: 2\ncomposes: [shut]\n---\n".to_owned(),
        "id: top\nlevel: 3\ncomposes: [middle]\n\
         requires: [{skill: shut, version: ^1.0.0}]\n"
            .to_owned(),
    ];
    let workshop = Workshop::with(&skills.concat());
    refused("top", &workshop.run("top", &plain_input()));
    assert_eq!(workshop.written(), Vec::<String>::new());
    assert_eq!(workshop.run("middle", &plain_input())["ok"], true);
}

#[test]
fn a_file_that_two_paths_lead_to_is_read_once() {
    let github = Github::serving(github_sim::Sim::demo());
    let place = Place::new().online(&github);
    let file = place.write("mine/look.yaml", "id: look\nlevel: 1\ncard: issue.view\n");
    let folder = file.parent().map(Path::to_owned).unwrap();
    let (file, folder) = (file.to_str().unwrap(), folder.to_str().unwrap());
    let flags = ["--skills", folder, "--skills", file, "--skills", "mine"];
    let world = World::at(place, &flags);
    let ran = world.cli().run("look", &plain_input());
    assert_eq!(ran["ok"], true, "{ran}");
}

/// A run that stopped is not finished by a skill that was broken since.
#[test]
fn a_run_is_not_resumed_by_a_skill_that_has_errors() {
    let sound = "id: shut\nlevel: 2\ncomposes: [issue.view, issue.close]\n";
    let workshop = Workshop::with(sound);
    let missing = rocket(json!({"issue_number": 999_999}));
    let failed = workshop.run("shut", &missing);
    assert_eq!(failed["ok"], false, "{failed}");
    let runs = workshop.world.cli().run("skill.runs", &json!({}));
    let id = runs["data"]["runs"][0]["id"].clone();
    let place = &workshop.world.place;
    place.write("skills.yaml", format!("{sound}when: $input.really\n"));
    let resumed = workshop.world.cli().run("run.resume", &json!({"run": id}));
    assert_eq!(resumed["ok"], false, "{resumed}");
    assert_eq!(workshop.written(), Vec::<String>::new());
}
