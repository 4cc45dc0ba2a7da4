//! The text of a `SKILL.md`: what an agent must know about a skill of the engine, in few tokens.

use serde_json::json;

use capstan_core::card::Operation;
use capstan_engine::SkillSheet;

use super::frontmatter::one_line;
use crate::mcp::tools::explain::parameter_list;

/// How many older versions are listed. More would cost tokens and help little.
const MAX_OLDER_VERSIONS: usize = 5;

/// Returns what the skill does and when to use it. Agents choose a skill by this text.
pub(super) fn description(sheet: &SkillSheet) -> String {
    let summary = summary(sheet);
    if sheet.intents.is_empty() {
        summary
    } else {
        format!(
            "{}. Use when asked to: {}",
            summary.trim_end_matches('.'),
            sheet.intents.join("; ")
        )
    }
}

/// Returns the text below the frontmatter. `capability` is the name by which the skill is run, and
/// `source_file` the file with its definition.
pub(super) fn text(
    name: &str,
    sheet: &SkillSheet,
    capability: &str,
    older_versions: &[String],
    source_file: &str,
) -> String {
    let explanation = &sheet.explanation;
    let call = json!({"capability": capability, "input": sheet.input});
    let mut lines = vec![
        one_line(&summary(sheet)),
        String::new(),
        format!("Call `execute` once: `{call}`"),
        String::new(),
    ];
    let mut add = |title: &str, text: String| {
        if !text.is_empty() {
            lines.push(format!("- {title}: {}", one_line(&text)));
        }
    };
    add("required", parameter_list(&explanation.required));
    add("optional", parameter_list(&explanation.optional));
    add("output in `data`", explanation.output.join(", "));
    add("steps", steps(sheet));
    if explanation.operation == Operation::Read {
        add("writes", "nothing".to_owned());
    }
    let deprecated = explanation.deprecated.clone();
    add("deprecated", deprecated.unwrap_or_default());
    let shown: Vec<_> = older_versions
        .iter()
        .take(MAX_OLDER_VERSIONS)
        .map(String::as_str)
        .collect();
    if !shown.is_empty() {
        let each = format!("each at skill://VERSION/{name}/SKILL.md");
        add("older versions", format!("{}; {each}", shown.join(", ")));
    }
    add("definition", format!("`{source_file}`"));
    lines.push(String::new());
    lines.join("\n")
}

/// Returns the author's description, or the names of the steps if there is none.
fn summary(sheet: &SkillSheet) -> String {
    let description = one_line(&sheet.explanation.description);
    if description.is_empty() {
        format!("Runs {}", step_names(sheet).join(", "))
    } else {
        description
    }
}

fn step_names(sheet: &SkillSheet) -> Vec<&str> {
    let steps = sheet.order.iter().flat_map(|level| &level.steps);
    steps.map(|step| step.step.as_str()).collect()
}

/// Returns the steps in their order. Steps that run in parallel are joined by a plus sign.
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
