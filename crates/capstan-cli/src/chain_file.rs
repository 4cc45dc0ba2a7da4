//! From a file of steps to a chain: a list, an object with `steps`, or one step a line.

use std::cell::LazyCell;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use capstan_catalog::Catalog;
use capstan_core::{ChainRequest, json};
use capstan_wire::{Chain, read_chain};
use serde_json::{Map, Value};

use crate::input::{MOST_BYTES, lacks_repository, put_repository, standard_input};

const EXPECTED: &str = "expected a list of steps, such as [{\"task\": \"issue.view\", \"input\": {\"issue_number\": 1}}]";

/// Reads a file, or standard input for `-`.
pub(crate) fn read(file: &Path) -> anyhow::Result<Chain> {
    if file == Path::new("-") {
        return parse(&standard_input()?).context("standard input");
    }
    let name = format!("`{}`", file.display());
    let mut text = String::new();
    File::open(file)
        .and_then(|file| file.take(MOST_BYTES + 1).read_to_string(&mut text))
        .with_context(|| format!("cannot read {name}"))?;
    if text.len() as u64 > MOST_BYTES {
        bail!("{name} is larger than {MOST_BYTES} bytes");
    }
    parse(&text).context(name)
}

/// Reads what a file says.
pub(crate) fn parse(text: &str) -> anyhow::Result<Chain> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut values = json::stream(text)?;
    let steps = |steps: Vec<Value>| Map::from_iter([("steps".to_owned(), steps.into())]);
    let chain = match (values.pop(), values.is_empty()) {
        (None, _) => bail!("nothing is there: {EXPECTED}"),
        (Some(Value::Array(list)), true) => steps(list),
        (Some(Value::Object(object)), true) if !is_step(&object) => object,
        (Some(Value::Object(step)), true) => steps(vec![step.into()]),
        (Some(_), true) => bail!("this is neither a list nor an object: {EXPECTED}"),
        (Some(last), false) => {
            values.push(last);
            steps(values)
        }
    };
    Ok(read_chain(chain)?)
}

/// Names the repository in every step that wants one and names none.
pub(crate) fn fill_in_repository(
    request: &mut ChainRequest,
    catalog: &Catalog,
    repository: impl FnOnce() -> Option<(String, String)>,
) {
    let repository = LazyCell::new(repository);
    for step in &mut request.steps {
        let task = &mut step.request;
        // An unknown id is reported by the engine.
        let lacks = catalog
            .get(&task.capability)
            .is_ok_and(|card| lacks_repository(&card, &task.input));
        if lacks && let Some(here) = &*repository {
            put_repository(&mut task.input, here.clone());
        }
    }
}

/// Whether an object alone in its file is a step and not a chain.
fn is_step(object: &Map<String, Value>) -> bool {
    let has = |name: &str| object.contains_key(name);
    !has("steps") && !has("tasks") && (has("task") || has("capability") || has("capability_id"))
}
