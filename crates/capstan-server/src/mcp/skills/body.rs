//! What a `SKILL.md` tells an agent about a skill of the engine, in few tokens.

use serde_json::json;

use capstan_core::card::Operation;
use capstan_engine::SkillSheet;

use super::front::one_line;
use crate::mcp::tools::explain::parameters;

/// More would cost more than they help.
const MOST_OLDER: usize = 5;

/// What it does, and when it is wanted: by this an agent chooses it.
pub(super) fn description(sheet: &SkillSheet) -> String {
    let what = what(sheet);
    if sheet.intents.is_empty() {
        what
    } else {
        format!(
            "{}. Use when asked to: {}",
            what.trim_end_matches('.'),
            sheet.intents.join("; ")
        )
    }
}

/// The rest of the file. `run` is the name by which it is run.
pub(super) fn text(
    name: &str,
    sheet: &SkillSheet,
    run: &str,
    older: &[String],
    source: &str,
) -> String {
    let explanation = &sheet.explanation;
    let call = json!({"capability": run, "input": sheet.input});
    let mut lines = vec![
        one_line(&what(sheet)),
        String::new(),
        format!("Call `execute` once: `{call}`"),
        String::new(),
    ];
    let mut add = |title: &str, text: String| {
        if !text.is_empty() {
            lines.push(format!("- {title}: {}", one_line(&text)));
        }
    };
    add("required", parameters(&explanation.required));
    add("optional", parameters(&explanation.optional));
    add("output in `data`", explanation.output.join(", "));
    add("steps", steps(sheet));
    if explanation.operation == Operation::Read {
        add("writes", "nothing".to_owned());
    }
    let deprecated = explanation.deprecated.clone();
    add("deprecated", deprecated.unwrap_or_default());
    let shown: Vec<_> = older.iter().take(MOST_OLDER).map(String::as_str).collect();
    if !shown.is_empty() {
        let each = format!("each at skill://VERSION/{name}/SKILL.md");
        add("older versions", format!("{}; {each}", shown.join(", ")));
    }
    add("definition", format!("`{source}`"));
    lines.push(String::new());
    lines.join("\n")
}

/// What its author says, else what it runs.
fn what(sheet: &SkillSheet) -> String {
    let said = one_line(&sheet.explanation.description);
    if said.is_empty() {
        format!("Runs {}", names(sheet).join(", "))
    } else {
        said
    }
}

fn names(sheet: &SkillSheet) -> Vec<&str> {
    let steps = sheet.order.iter().flat_map(|level| &level.steps);
    steps.map(|step| step.step.as_str()).collect()
}

/// In their order; those that run side by side are joined by a plus.
fn steps(sheet: &SkillSheet) -> String {
    let levels = sheet.order.iter().map(|level| {
        let steps = level.steps.iter().map(|step| {
            let (_, runs) = step.runs.split_once(' ').unwrap_or(("", &step.runs));
            let mut text = step.step.clone();
            if runs != step.step {
                text.push_str(&format!(" ({runs})"));
            }
            if step.operation == "WRITE" {
                text.push_str(" (writes)");
            }
            if !step.conditions.is_empty() {
                text.push_str(&format!(" if {}", step.conditions.join(" and ")));
            }
            text
        });
        steps.collect::<Vec<_>>().join(" + ")
    });
    levels
        .filter(|it| !it.is_empty())
        .collect::<Vec<_>>()
        .join(", then ")
}
