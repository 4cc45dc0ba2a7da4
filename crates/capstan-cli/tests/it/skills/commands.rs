//! `capstan skill`: what people see.

use serde_json::json;

use crate::cli::harness::Place;

/// A place with the skills that ship with the product.
fn place() -> (Place, String) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../skills");
    (Place::new(), folder.to_str().unwrap().to_owned())
}

fn shown(args: &[&str]) -> String {
    let (place, folder) = place();
    let mut all = vec!["--demo", "--skills", &folder];
    all.extend(args);
    let (code, screen) = place.screen(&all);
    assert_eq!(code, 0, "{screen}");
    screen
}

#[test]
fn the_order_of_a_workflow() {
    insta::assert_snapshot!(shown(&["skill", "order", "pr-review-workflow"]));
    insta::assert_snapshot!(shown(&["skill", "order", "issue-brief"]));
}

#[test]
fn a_workflow_as_a_tree() {
    insta::assert_snapshot!(shown(&["skill", "graph", "pr-review-workflow"]));
}

#[test]
fn pictures_for_other_programs() {
    let (place, folder) = place();
    for (format, begins) in [
        ("dot", "digraph"),
        ("mermaid", "flowchart"),
        ("svg", "<svg"),
    ] {
        let args = [
            "--skills",
            &folder,
            "skill",
            "graph",
            "issue-brief",
            "--format",
            format,
        ];
        let ran = place.run(&args);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(ran.stdout.starts_with(begins), "{}", ran.stdout);
    }
}

#[test]
fn the_order_for_programs() {
    let (place, folder) = place();
    let ran = place.run(&[
        "--json",
        "--skills",
        &folder,
        "skill",
        "order",
        "issue-brief",
    ]);
    let levels = ran.json();
    assert_eq!(levels.as_array().unwrap().len(), 2, "{levels}");
    let together = levels[0]["requests"][0].as_array().unwrap().len();
    assert_eq!(together, 4, "{levels}");
}

#[test]
fn what_is_begun_anew_is_sound() {
    let place = Place::new();
    for level in ["1", "2", "3"] {
        let made = place.run(&["skill", "new", "my-skill", "--level", level]);
        assert_eq!(made.code, 0, "{}", made.stderr);
        let file = place.write("new.yaml", &made.stdout);
        let checked = place.run(&["check", "--deny-warnings", file.to_str().unwrap()]);
        assert_eq!(checked.code, 0, "{}", checked.all());
    }
    let bad = place.run(&["skill", "new", "no spaces"]);
    assert_eq!(bad.code, 2, "{}", bad.all());
}

#[test]
fn two_versions_compared() {
    let place = Place::new();
    let version = |number: &str, output: &str| {
        format!(
            "id: report\nversion: {number}\nlevel: 1\ncode: return args\n\
             input_schema: {{type: object}}\n\
             output_schema: {{type: object, properties: {{{output}}}, required: [id]}}\n"
        )
    };
    let old = place.write(
        "old.yaml",
        version("1.2.0", "id: {type: string}, name: {type: string}"),
    );
    let new = place.write("new.yaml", version("1.3.0", "id: {type: integer}"));
    let [old, new] = [&old, &new].map(|file| file.to_str().unwrap());
    let (code, screen) = place.screen(&["skill", "diff", old, new]);
    assert_eq!(code, 1, "{screen}");
    insta::assert_snapshot!(screen);
    let told = place.run(&["--json", "skill", "diff", old, new]).json();
    assert_eq!(
        (&told["ok"], &told["skills"][0]["due"]),
        (&json!(false), &json!("major"))
    );
    assert_eq!(told["skills"][0]["next"], "2.0.0");
    let same = place.run(&["--json", "skill", "diff", old, old]);
    assert_eq!((same.code, &same.json()["ok"]), (0, &json!(true)));
    let none = place.run(&["skill", "diff", old, "elsewhere.yaml"]);
    assert_eq!(none.code, 2, "{}", none.all());
}

/// What a skill does not state is told by its parts: a skill of another folder, and a card.
#[test]
fn two_versions_compared_by_their_parts() {
    let place = Place::new();
    let version = |number: &str, parts: &str| {
        format!("id: report\nversion: {number}\nlevel: 2\ncomposes: [{parts}]\n")
    };
    let old = place.write("old.yaml", version("1.2.0", "issue.view, shorten"));
    let new = place.write("new.yaml", version("1.2.1", "issue.close, shorten"));
    let shared = place.write(
        "shared/shorten.yaml",
        "id: shorten\nlevel: 1\ncode: 'return {short: args.title}'\n\
         input_schema: {type: object, properties: {title: {type: string}}, required: [title]}\n\
         output_schema: {type: object, properties: {short: {type: string}}, required: [short]}\n",
    );
    let [old, new, shared] = [&old, &new, &shared].map(|file| file.to_str().unwrap());
    let (code, screen) = place.screen(&["--skills", shared, "skill", "diff", old, new]);
    assert_eq!(code, 1, "{screen}");
    insta::assert_snapshot!("diff_by_parts", screen);
    let (_, screen) = place.screen(&["skill", "diff", old, new]);
    insta::assert_snapshot!("diff_without_parts", screen);
    let told = place.run(&["--json", "skill", "diff", old, new]).json();
    assert_eq!(told["skills"][0]["notes"].as_array().unwrap().len(), 2);
}

#[test]
fn a_skill_that_is_not_there() {
    let (place, folder) = place();
    let ran = place.run(&["--skills", &folder, "skill", "order", "nothing"]);
    assert_eq!(ran.code, 1);
    assert_eq!(ran.json()["error"]["code"], "NOT_FOUND");
}

const GUARDED: &str = "id: tidy
level: 3
composes:
  - {skill: issue.view, as: look, inputs: {issue_number: 1}}
  - {skill: issue.close, as: shut, inputs: {issue_number: 1}}
  - {skill: issue.comments.create, as: tell, inputs: {issue_number: 1, body: done}}
input_schema:
  type: object
  properties: {owner: {type: string}, repo: {type: string}, really: {type: boolean, default: false}}
  required: [owner, repo, really]
execution:
  - step: look
  - step: shut
    condition: $input.really == true
  - step: tell
    condition: $look.output.state == \"open\"
";

#[test]
fn a_dry_run_of_a_skill_shows_its_plan() {
    let place = Place::new();
    let file = place.write("tidy.yaml", GUARDED);
    let skills = file.to_str().unwrap();
    let run = [
        "--demo",
        "--skills",
        skills,
        "run",
        "tidy",
        "-R",
        "acme/rocket",
        "--dry-run",
    ];
    let (code, screen) = place.screen(&run);
    assert_eq!(code, 0, "{screen}");
    insta::assert_snapshot!(screen);

    let mut machine = vec!["--json"];
    machine.extend(run);
    machine.push("really=true");
    let ran = place.run(&machine);
    let plan: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let shut = &plan["order"][1]["steps"][0];
    assert_eq!(shut["step"], "shut", "{plan}");
    assert_eq!(shut["skipped"], json!(null), "{plan}");
    assert_eq!(
        shut["conditions"],
        json!(["$input.really == true"]),
        "{plan}"
    );

    // In a chain, where the input is not known yet, nothing is ruled out.
    let chain = place.write(
        "chain.json",
        r#"[{"task": "issue.view", "as": "i", "input": {"owner": "acme", "repo": "rocket", "issue_number": 1}},
            {"task": "tidy", "input": {"owner": "acme", "repo": "$i.data.title"}}]"#,
    );
    let chain = chain.to_str().unwrap();
    let ran = place.run(&[
        "--demo",
        "--json",
        "--skills",
        skills,
        "chain",
        chain,
        "--dry-run",
    ]);
    let plan: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        plan["steps"][1]["order"].as_array().map(Vec::len),
        Some(3),
        "{plan}"
    );
}

#[test]
fn a_folder_without_skills_is_not_passed_over_in_silence() {
    let place = Place::new();
    place.write(
        "agent/review/SKILL.md",
        "---\nname: review\n---\n# Review\n",
    );
    let ran = place.run(&["--demo", "--skills", "agent", "list", "--kind", "skill"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stderr
            .contains("agent: warning[E040]: there are no YAML files"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("SKILL.md"), "{}", ran.stderr);
    let ran = place.run(&["check", "agent"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("SKILL.md"), "{}", ran.stderr);
    let ran = place.run(&["--demo", "--skills", "nowhere", "list", "--kind", "skill"]);
    assert!(
        ran.stderr.contains("nowhere: error[E040]"),
        "{}",
        ran.stderr
    );
}
