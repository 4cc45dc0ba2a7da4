//! The results of a chain: one block a step.

use capstan_core::{ChainResultEnvelope, ChainStepResult};
use serde_json::Map;

use crate::clean::flat;
use crate::failure::{is_bystander, lines_of_refused};
use crate::result::{tell, warning};
use crate::told::Told;
use crate::trace;
use crate::viewed::Viewed;

/// The results of a chain, one block a step, numbered as the caller numbered them.
pub fn chain(envelope: &ChainResultEnvelope, steps: &[Viewed<'_>]) -> String {
    let meta = &envelope.meta;
    let mut blocks: Vec<String> = meta.warnings.iter().map(|text| warning(text)).collect();
    blocks.extend(meta.timings.map(trace::took));
    blocks.extend(meta.cost.and_then(trace::cost));
    blocks.extend(meta.trace_id.as_ref().map(trace::remembered));
    let results = envelope.results.iter().enumerate();
    if was_refused(envelope) {
        blocks.push("nothing was run".to_owned());
        for (index, result) in results {
            let wrong = result.error.as_ref().filter(|error| !is_bystander(error));
            let text = wrong.map(|error| lines_of_refused(error).join("\n"));
            blocks.extend(text.map(|text| block(index, result, &text)));
        }
    } else {
        let no_input = Map::new();
        let unknown = Viewed {
            card: None,
            input: &no_input,
            fields: None,
            sort: None,
            feeds_each: false,
        };
        for (index, result) in results {
            let viewed = steps.get(index).unwrap_or(&unknown);
            let text = tell(&Told::from(result), viewed);
            blocks.push(block(index, result, &text));
        }
    }
    blocks.join("\n")
}

/// Whether steps were held back because others are wrong: nothing was sent then.
fn was_refused(envelope: &ChainResultEnvelope) -> bool {
    let errors = || envelope.results.iter().map(|result| result.error.as_ref());
    errors().all(|error| error.is_some()) && errors().flatten().any(is_bystander)
}

fn block(index: usize, result: &ChainStepResult, text: &str) -> String {
    let name = result
        .name
        .as_deref()
        .map(|name| flat(name).replace(']', ")"));
    let name = name.map(|name| format!(" {name}")).unwrap_or_default();
    let order = match result.meta.later_write {
        Some(write) => format!(", read after {write}"),
        None => String::new(),
    };
    let mut block = format!("[{index}{name}{order}]");
    for (at, line) in text.lines().enumerate() {
        if at > 0 {
            block.push('\n');
        }
        if (at == 0 && !line.is_empty()) || (at > 0 && looks_like_a_step(line)) {
            block.push(' ');
        }
        block.push_str(line);
    }
    block
}

/// What others wrote must not be taken for the result of another step.
fn looks_like_a_step(line: &str) -> bool {
    let mut start = line.bytes();
    start.next() == Some(b'[') && start.next().is_some_and(|byte| byte.is_ascii_digit())
}
