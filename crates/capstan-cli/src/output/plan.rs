//! Prints what a chain would send: the steps, then the requests in the order in which they are sent.

use capstan_core::RouteRequest;
use capstan_engine::{ChainPlan, PlannedRequest, PlannedStep};
use capstan_skill::render::{LevelShown, order_text};
use serde_json::Value;

use super::command::shell_quoted;
use super::sanitize::sanitize;
use super::{BOLD, DIM, NAME, Printer};

impl Printer {
    pub(crate) fn plan(&self, plan: &ChainPlan) {
        let width = plan.steps.len().saturating_sub(1).to_string().len();
        for (index, step) in plan.steps.iter().enumerate() {
            self.planned_step(index, width, step);
        }
        for (index, level) in plan.levels.iter().enumerate() {
            let when = if index == 0 { "first" } else { "then" };
            self.line(format_args!("{BOLD}{when}{BOLD:#}"));
            for request in &level.requests {
                self.planned_request(request);
            }
        }
        let requests = plan.levels.iter().map(|level| level.requests.len()).sum();
        self.line(format_args!(
            "{BOLD}{}{BOLD:#} · {} · {} · nothing was sent",
            counted(plan.steps.len(), "step"),
            counted(requests, "request"),
            counted(plan.levels.len(), "level")
        ));
    }

    /// Prints what a skill would run, level by level.
    pub(crate) fn skill_preview(&self, levels: &[LevelShown]) {
        self.line(order_text(levels).trim_end());
        let steps = levels.iter().flat_map(|level| &level.steps);
        let count = steps.filter(|step| !step.skipped).count();
        self.line(format_args!(
            "{BOLD}{}{BOLD:#} · {} · nothing was sent",
            counted(count, "step"),
            counted(levels.len(), "level")
        ));
    }

    fn planned_step(&self, index: usize, width: usize, step: &PlannedStep) {
        let task = sanitize(&step.task);
        let name = step
            .name
            .as_deref()
            .map(|name| format!(" as {}", sanitize(name)))
            .unwrap_or_default();
        let route = step
            .route
            .map(|route| format!("  via {route}"))
            .unwrap_or_default();
        self.line(format_args!(
            "{DIM}{index:>width$}{DIM:#}  {NAME}{task}{NAME:#}{name}{DIM}{route}{DIM:#}"
        ));
        for line in order_text(&step.order).trim_end().lines() {
            self.line(format_args!("     {line}"));
        }
        if let Some(problem) = &step.problem {
            self.error(problem);
        }
    }

    fn planned_request(&self, request: &PlannedRequest) {
        let route = request.request.route();
        let purpose = sanitize(&request.purpose);
        let steps = match request.steps.as_slice() {
            [one] => format!("step {one}"),
            many => format!("steps {}", ranges(many)),
        };
        self.line(format_args!(
            "  {NAME}{route}{NAME:#}  {purpose}  {DIM}{steps}{DIM:#}"
        ));
        let sent = match &request.request {
            RouteRequest::Graphql(request) => {
                let variables = Value::Object(request.variables.clone());
                format!("{}\n    {variables}", request.document)
            }
            RouteRequest::Rest(request) => {
                let body = request
                    .body
                    .as_ref()
                    .map(|body| format!("\n    {body}"))
                    .unwrap_or_default();
                format!("{} {}{body}", request.method.as_str(), request.path)
            }
            RouteRequest::Cli(request) => {
                let words: Vec<_> = request.args.iter().map(|word| shell_quoted(word)).collect();
                let stdin = request
                    .stdin
                    .as_ref()
                    .map(|text| format!("\n    {text}"))
                    .unwrap_or_default();
                format!("gh {}{stdin}", words.join(" "))
            }
            RouteRequest::Mcp(call)
            | RouteRequest::Code(call)
            | RouteRequest::Skill(call)
            | RouteRequest::Local(call) => {
                format!("{} {}", call.target, Value::Object(call.input.clone()))
            }
        };
        self.line(format_args!("    {}", sanitize(&sent)));
    }
}

/// Formats sorted numbers as ranges, such as `0–24, 30`.
fn ranges(numbers: &[usize]) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let shown = ranges.into_iter().map(|(first, last)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first}–{last}"),
    });
    shown.collect::<Vec<_>>().join(", ")
}

fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn numbers_that_follow_each_other_are_told_together() {
        for (numbers, shown) in [
            (&[][..], ""),
            (&[3], "3"),
            (&[0, 1], "0, 1"),
            (&[0, 1, 2, 3, 7, 9, 10, 11], "0–3, 7, 9–11"),
        ] {
            assert_eq!(ranges(numbers), shown);
        }
    }
}
