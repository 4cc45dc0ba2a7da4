//! How long it takes to read and to check ten thousand skills with thirty thousand compositions.
//!
//! `cargo bench -p capstan-skill --bench check`. With `PYTHON=path` of a Python that has NetworkX and
//! `jsonschema`, the same rules are timed there too, over the same skills.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a benchmark prints what it measured"
)]

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use capstan_core::Source;
use capstan_skill::{Library, OutsideCapability, Skill, check, read_text};
use serde_json::{Value, json};
use time::macros::date;

const ATOMS: usize = 7_000;
const COMPOSITES: usize = 2_500;
const WORKFLOWS: usize = 500;
const PARTS_OF_COMPOSITE: usize = 4;
const PARTS_OF_WORKFLOW: usize = 40;

fn main() {
    let text = library();
    let documents: Vec<_> = text.split_inclusive("---\n").collect();
    let sources: Vec<_> = documents
        .chunks(100)
        .map(|some| Source::new("skills.yaml", some.concat()))
        .collect();
    let (read, skills) = best(|| -> Vec<Skill> {
        let read = sources.iter().map(read_text);
        read.flat_map(|read| read.skills).collect()
    });
    let count = skills.len();
    assert_eq!(count, ATOMS + COMPOSITES + WORKFLOWS);
    let edges: usize = skills.iter().map(|skill| skill.composes.len()).sum();
    let (library, twice) = Library::new(skills.clone());
    assert!(twice.is_empty());
    let outside: HashMap<String, OutsideCapability> = HashMap::new();
    let (checked, errors) = best(|| {
        let checked = check(&library, &outside, date!(2026 - 11 - 16));
        checked
            .diagnostics
            .iter()
            .filter(|it| it.code != "E026" && it.code != "E016")
            .count()
    });
    println!(
        "{count} skills, {edges} compositions, {errors} findings beside unused outputs and diamonds"
    );
    println!("{read:>9.0?}  to read the YAML, on one processor");
    println!("{checked:>9.0?}  to check them");
    python(&skills, checked);
}

/// Returns the best of five runs, because other load only makes a run slower.
fn best<T>(mut work: impl FnMut() -> T) -> (Duration, T) {
    let mut best: Option<(Duration, T)> = None;
    for _ in 0..5 {
        let start = Instant::now();
        let made = work();
        let took = start.elapsed();
        if best.as_ref().is_none_or(|(time, _)| took < *time) {
            best = Some((took, made));
        }
    }
    best.unwrap()
}

/// Builds a library in which every step gets its inputs from the skill's input or from the step before it.
fn library() -> String {
    let mut text = String::new();
    for atom in 0..ATOMS {
        let _ = write!(
            text,
            "id: atom-{atom}\nlevel: 1\ncode: return args\noperation: TRANSFORM\n\
             input_schema: {{type: object, properties: {{key: {{type: string}}, count: {{type: integer}}, \
             tags: {{type: array, items: {{type: string}}}}}}, required: [key]}}\n\
             output_schema: {{type: object, properties: {{key: {{type: string}}, count: {{type: integer}}, \
             rows: {{type: array, items: {{type: object, properties: {{id: {{type: string}}}}, required: [id]}}}}}}, \
             required: [key, count, rows]}}\n---\n"
        );
    }
    let key = "input_schema: {type: object, properties: {key: {type: string}}, required: [key]}\n\
               output_schema: {type: object, properties: {count: {type: integer}}, required: [count]}\n---\n";
    for composite in 0..COMPOSITES {
        let _ = writeln!(text, "id: composite-{composite}\nlevel: 2\ncomposes:");
        for part in 0..PARTS_OF_COMPOSITE {
            let _ = writeln!(
                text,
                "  - atom-{}",
                (composite * PARTS_OF_COMPOSITE + part) % ATOMS
            );
        }
        text.push_str(key);
    }
    for workflow in 0..WORKFLOWS {
        let _ = writeln!(text, "id: workflow-{workflow}\nlevel: 3\ncomposes:");
        for part in 0..PARTS_OF_WORKFLOW {
            let number = workflow * PARTS_OF_WORKFLOW + part;
            match part % 8 {
                0 => {
                    let _ = writeln!(
                        text,
                        "  - composite-{}",
                        (workflow * 5 + part / 8) % COMPOSITES
                    );
                }
                _ => {
                    let _ = writeln!(text, "  - atom-{}", number % ATOMS);
                }
            }
        }
        text.push_str(key);
    }
    text
}

fn python(skills: &[Skill], ours: Duration) {
    let Ok(program) = std::env::var("PYTHON") else {
        println!("           Python was not asked: PYTHON names one with networkx and jsonschema");
        return;
    };
    let schema = |schema: &Option<capstan_skill::Placed<Value>>| {
        schema.as_ref().map_or(json!({}), |it| it.value.clone())
    };
    let given: Vec<_> = skills
        .iter()
        .map(|skill| {
            let composes: Vec<_> = skill
                .composes
                .iter()
                .map(|it| it.skill.value.as_str())
                .collect();
            json!({
                "id": skill.id.as_str(),
                "level": skill.level.number(),
                "composes": composes,
                "input_schema": schema(&skill.input_schema),
                "output_schema": schema(&skill.output_schema),
            })
        })
        .collect();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/check.py");
    let mut child = Command::new(program)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input
        .write_all(Value::from(given).to_string().as_bytes())
        .unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    let seconds: f64 = String::from_utf8(output.stdout)
        .unwrap()
        .trim()
        .parse()
        .unwrap();
    let theirs = Duration::from_secs_f64(seconds);
    println!(
        "{theirs:>9.0?}  in Python with NetworkX and jsonschema: {:.0} times as long",
        seconds / ours.as_secs_f64()
    );
}
