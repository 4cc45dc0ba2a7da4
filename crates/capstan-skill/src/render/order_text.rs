//! Renders the levels of a plan as lines of text.

use super::order::{LevelShown, StepShown};
use super::text::{cut, plain, width};

const COLUMNS: usize = 80;
const NAME: usize = 36;
/// The width that remains for the start of a path, even if its last name is long.
const SCOPE: usize = 12;
/// The least width of a condition, and the width of what is around it: `a (if …)`, and among others `[a (if
/// …)] →`.
const CONDITION: usize = 22;
const AROUND: usize = 6;
const BESIDE_OTHERS: usize = 4;

/// Renders one line per level, with `∥` between parallel steps, `→` between writes, which run in sequence,
/// and brackets around steps that share a request.
pub fn order_text(levels: &[LevelShown]) -> String {
    let margin = levels.len().to_string().len();
    let indent = " ".repeat(margin + 2);
    let mut lines = Vec::new();
    for (index, level) in levels.iter().enumerate() {
        let mut start = format!("{:>margin$}  ", index + 1);
        for writes in [false, true] {
            if writes {
                start.push_str("write: ");
            }
            let items = items(level, writes, COLUMNS - width(&start));
            if items.is_empty() {
                continue;
            }
            let between = if writes { " →" } else { " ∥" };
            wrap(&start, &indent, &items, between, &mut lines);
            start.clone_from(&indent);
        }
    }
    if levels
        .iter()
        .any(|level| level.requests.iter().any(|it| it.len() > 1))
    {
        lines.push(String::new());
        lines.push(format!("{indent}[a + b]  one GraphQL request"));
    }
    lines.push(String::new());
    lines.join("\n")
}

/// Returns the steps and groups of steps. A group takes the position of its first step.
fn items(level: &LevelShown, writes: bool, room: usize) -> Vec<String> {
    let steps = level.steps.iter().filter(|it| it.is_write() == writes);
    let steps: Vec<&StepShown> = steps.collect();
    let shared = |step: &StepShown| {
        let mut requests = level.requests.iter();
        requests.find(|group| group.len() > 1 && group.contains(&step.step))
    };
    let room = match steps.len() {
        1 => room,
        _ => room - BESIDE_OTHERS,
    };
    let mut items = Vec::new();
    for step in &steps {
        match shared(step) {
            Some(group) if group.first() == Some(&step.step) => {
                let members = steps.iter().filter(|it| group.contains(&it.step));
                let members: Vec<_> = members.map(|it| name(it, room)).collect();
                items.push(format!("[{}]", members.join(" + ")));
            }
            Some(_) => {}
            None => items.push(name(step, room)),
        }
    }
    items
}

/// Returns the name of a step with its condition, cut to the width of a line.
fn name(step: &StepShown, room: usize) -> String {
    let name = cut_path(&plain(&step.step));
    if step.skipped {
        return format!("{name} (skipped)");
    }
    if step.conditions.is_empty() {
        return name;
    }
    let conditions = plain(&step.conditions.join(", "));
    let left = room.saturating_sub(AROUND + width(&name)).max(CONDITION);
    format!("{name} (if {})", cut(&conditions, left))
}

/// Cuts a path. Its last name is more informative than the names before it, so it is kept longer.
fn cut_path(path: &str) -> String {
    match path.rsplit_once('/') {
        Some((around, name)) if width(path) > NAME => {
            let name = cut(name, NAME - SCOPE - 1);
            let around = cut(around, NAME - width(&name) - 1);
            format!("{around}/{name}")
        }
        _ => cut(path, NAME),
    }
}

fn wrap(start: &str, indent: &str, items: &[String], between: &str, lines: &mut Vec<String>) {
    let mut line = start.to_owned();
    let mut is_first = true;
    for (place, item) in items.iter().enumerate() {
        let end = if place + 1 < items.len() { between } else { "" };
        // A group may be longer than a line. It is broken between its members.
        for (part, word) in item.split_inclusive(" + ").enumerate() {
            let last = part + 1 == item.split_inclusive(" + ").count();
            let word = format!("{}{}", word.trim_end(), if last { end } else { "" });
            let space = if is_first { "" } else { " " };
            if !is_first && width(&line) + 1 + width(&word) > COLUMNS {
                lines.push(std::mem::replace(&mut line, format!("{indent}{word}")));
            } else {
                line.push_str(space);
                line.push_str(&word);
            }
            is_first = false;
        }
    }
    lines.push(line);
}
