//! Lines of `gh` and calls of GitHub's MCP server, as models write them from memory.

use std::fs;
use std::path::Path;

use capstan_core::{Options, TaskRequest};
use capstan_engine::DefaultRepository;
use serde_json::{Map, Value, json};

use super::bench::{Bench, Setup};

fn rows(file: &str) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/known_words");
    let text = fs::read_to_string(folder.join(file)).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

async fn bench() -> Bench {
    let mut setup = Setup::default();
    setup.settings.repository = DefaultRepository::fixed("acme", "rocket");
    Bench::set_up(setup).await
}

/// What a row expects, with the repository that is meant where it names none.
fn expected(row: &Value, card_takes_repository: bool) -> Map<String, Value> {
    let mut input = row["input"].as_object().cloned().unwrap();
    if card_takes_repository && !input.contains_key("owner") {
        input.insert("owner".to_owned(), json!("acme"));
        input.insert("repo".to_owned(), json!("rocket"));
    }
    input
}

/// How the rows of a file went.
#[derive(Default)]
struct Tally {
    understood: usize,
    refused: Vec<String>,
    wrong: Vec<String>,
    total: usize,
}

impl Tally {
    fn check(&self, least: f64) {
        assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n"));
        let share = self.understood as f64 / self.total as f64;
        assert!(
            share >= least,
            "{} of {}\n{}",
            self.understood,
            self.total,
            self.refused.join("\n")
        );
    }

    fn count(
        &mut self,
        shown: &str,
        wanted: Option<(&str, &Map<String, Value>)>,
        got: Option<&TaskRequest>,
        why: &str,
    ) {
        match (wanted, got) {
            (None, None) => {}
            (None, Some(got)) => self
                .wrong
                .push(format!("{shown}\n  ran {} {:?}", got.capability, got.input)),
            (Some(_), None) => {
                self.total += 1;
                self.refused.push(format!("{shown}\n  {why}"));
            }
            (Some((task, input)), Some(got)) => {
                self.total += 1;
                if got.capability == task && same(&got.input, input) {
                    self.understood += 1;
                } else {
                    self.wrong.push(format!(
                        "{shown}\n  got {} {}\n  not {task} {}",
                        got.capability,
                        Value::Object(got.input.clone()),
                        Value::Object(input.clone())
                    ));
                }
            }
        }
    }
}

/// In any order.
fn same(left: &Map<String, Value>, right: &Map<String, Value>) -> bool {
    left.len() == right.len()
        && left
            .iter()
            .all(|(name, value)| right.get(name) == Some(value))
}

#[tokio::test]
async fn a_hundred_lines_of_gh_do_what_gh_does_or_nothing() {
    let bench = bench().await;
    let mut tally = Tally::default();
    for row in rows("gh.jsonl") {
        let line = row["line"].as_str().unwrap().to_owned();
        let read = bench.capstan.read_lines(std::slice::from_ref(&line)).await;
        let (got, why) = match read {
            Ok(mut read) => {
                let request = read.remove(0).step.request;
                (
                    bench.capstan.words().settled_task(&request).await,
                    String::new(),
                )
            }
            Err(bad) => (None, bad[0].problem.clone()),
        };
        let takes = |task: &str| {
            let card = bench.capstan.catalog().get(task).unwrap();
            card.input_schema.pointer("/properties/owner").is_some()
        };
        let task = row["task"].as_str();
        let input = task.map(|task| expected(&row, takes(task)));
        if let (Some(got), Some(fields)) = (&got, row.get("fields")) {
            // Beside these, a list shows what it always shows.
            let card = bench.capstan.catalog().get(&got.capability).unwrap();
            let mut asked = got.options.fields.clone().unwrap();
            asked.retain(|field| card.list.iter().all(|list| !list.always.contains(field)));
            assert_eq!(json!(asked), *fields, "{line}");
        }
        tally.count(&line, task.zip(input.as_ref()), got.as_ref(), &why);
    }
    tally.check(0.9);
}

#[tokio::test]
async fn sixty_calls_of_githubs_mcp_server_do_what_it_does_or_nothing() {
    let bench = bench().await;
    let mut tally = Tally::default();
    for row in rows("mcp.jsonl") {
        let request = TaskRequest {
            capability: row["tool"].as_str().unwrap().to_owned(),
            input: row["arguments"].as_object().cloned().unwrap(),
            options: Options::default(),
            intent: None,
        };
        let got = bench.capstan.words().settled_task(&request).await;
        // What is understood may still be refused, before anything is sent.
        let planned = match &got {
            Some(_) => bench.capstan.dry_run(&request).await.map(|_| ()),
            None => Ok(()),
        };
        let why = planned
            .as_ref()
            .err()
            .map(|error| error.message.clone())
            .unwrap_or_default();
        let got = got.filter(|_| planned.is_ok());
        let task = row["task"].as_str();
        let input = task.map(|_| expected(&row, false));
        let shown = format!("{} {}", row["tool"], row["arguments"]);
        tally.count(&shown, task.zip(input.as_ref()), got.as_ref(), &why);
    }
    tally.check(1.0);
    assert!(bench.writes().is_empty());
}
