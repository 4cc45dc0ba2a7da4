//! Reads a chain from a file: a JSON list of steps, an object with `steps`, or one step per line.

use std::cell::LazyCell;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use capstan_catalog::Catalog;
use capstan_core::{ChainRequest, json};
use capstan_wire::{Chain, read_chain};
use serde_json::{Map, Value};

use crate::input::{MAX_INPUT_BYTES, lacks_repository, read_standard_input, set_repository};

const EXPECTED: &str = "expected a list of steps, such as [{\"task\": \"issue.view\", \"input\": {\"issue_number\": 1}}]";

/// Reads a chain from a file, or from standard input if `file` is `-`.
pub(crate) fn read(file: &Path) -> anyhow::Result<Chain> {
    if file == Path::new("-") {
        return parse(&read_standard_input()?).context("standard input");
    }
    let name = format!("`{}`", file.display());
    let mut text = String::new();
    File::open(file)
        .and_then(|file| file.take(MAX_INPUT_BYTES + 1).read_to_string(&mut text))
        .with_context(|| format!("cannot read {name}"))?;
    if text.len() as u64 > MAX_INPUT_BYTES {
        bail!("{name} is larger than {MAX_INPUT_BYTES} bytes");
    }
    parse(&text).context(name)
}

/// Parses the text of a file with steps.
pub(crate) fn parse(text: &str) -> anyhow::Result<Chain> {
    let without_mark = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut values = json::stream(without_mark)?;
    let steps = |steps: Vec<Value>| Map::from_iter([("steps".to_owned(), steps.into())]);
    let chain = match (values.pop(), values.is_empty()) {
        (None, _) => bail!("it is empty: {EXPECTED}"),
        (Some(Value::Array(list)), true) => steps(list),
        (Some(Value::Object(object)), true) if !is_step(&object) => object,
        (Some(Value::Object(step)), true) => steps(vec![step.into()]),
        (Some(_), true) => bail!("it is neither a list nor an object: {EXPECTED}"),
        (Some(last), false) => {
            values.push(last);
            steps(values)
        }
    };
    Ok(read_chain(chain)?)
}

/// Sets the repository in every step that takes one and names none.
pub(crate) fn fill_in_repository(
    request: &mut ChainRequest,
    catalog: &Catalog,
    repository: impl FnOnce() -> Option<(String, String)>,
) {
    let repository = LazyCell::new(repository);
    for step in &mut request.steps {
        let task = &mut step.request;
        // The engine reports unknown ids.
        let lacks = catalog
            .get(&task.capability)
            .is_ok_and(|card| lacks_repository(&card, &task.input));
        if lacks && let Some(here) = &*repository {
            set_repository(&mut task.input, here.clone());
        }
    }
}

/// Whether the only object in a file is a step rather than a chain.
fn is_step(object: &Map<String, Value>) -> bool {
    let has = |name: &str| object.contains_key(name);
    !has("steps") && !has("tasks") && (has("task") || has("capability") || has("capability_id"))
}
