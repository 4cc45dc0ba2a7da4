//! Converts the results of a chain: one block per step.

use capstan_core::{ChainResultEnvelope, ChainStepResult};
use serde_json::Map;

use crate::clean::single_line;
use crate::context::ViewContext;
use crate::failure::{is_caused_by_other_step, lines_without_code};
use crate::parts::ResultParts;
use crate::result::{result_text, warning};
use crate::trace;

/// Returns the text of a chain's results, one block per step, numbered from 0.
pub fn view_chain(envelope: &ChainResultEnvelope, steps: &[ViewContext<'_>]) -> String {
    let meta = &envelope.meta;
    let mut blocks: Vec<String> = meta.warnings.iter().map(|text| warning(text)).collect();
    blocks.extend(meta.timings.map(trace::timing_line));
    blocks.extend(meta.cost.and_then(trace::cost_line));
    blocks.extend(meta.trace_id.as_ref().map(trace::trace_line));
    let results = envelope.results.iter().enumerate();
    if was_refused(envelope) {
        blocks.push("nothing was run".to_owned());
        for (index, result) in results {
            let wrong = result
                .error
                .as_ref()
                .filter(|error| !is_caused_by_other_step(error));
            let text = wrong.map(|error| lines_without_code(error).join("\n"));
            blocks.extend(text.map(|text| block(index, result, &text)));
        }
    } else {
        let no_input = Map::new();
        let unknown = ViewContext {
            card: None,
            input: &no_input,
            fields: None,
            sort: None,
            feeds_each: false,
        };
        for (index, result) in results {
            let context = steps.get(index).unwrap_or(&unknown);
            let text = result_text(&ResultParts::from(result), context);
            blocks.push(block(index, result, &text));
        }
    }
    blocks.join("\n")
}

/// Returns whether the chain was refused because some steps are invalid. Then nothing was sent.
fn was_refused(envelope: &ChainResultEnvelope) -> bool {
    let errors = || envelope.results.iter().map(|result| result.error.as_ref());
    errors().all(|error| error.is_some()) && errors().flatten().any(is_caused_by_other_step)
}

fn block(index: usize, result: &ChainStepResult, text: &str) -> String {
    let name = result
        .name
        .as_deref()
        .map(|name| single_line(name).replace(']', ")"));
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

/// Returns whether a line of foreign text could be mistaken for the result of another step.
fn looks_like_a_step(line: &str) -> bool {
    let mut start = line.bytes();
    start.next() == Some(b'[') && start.next().is_some_and(|byte| byte.is_ascii_digit())
}
