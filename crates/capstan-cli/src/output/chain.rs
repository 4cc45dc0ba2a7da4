//! Prints the result of a chain for people: a line for each step, and a summary.

use capstan_core::{ChainMeta, ChainResultEnvelope, ChainStepResult, ResultError};

use super::envelope::attempt_line;
use super::sanitize::sanitize;
use super::step_summary::step_summary;
use super::{BOLD, DIM, ERROR, GOOD, NAME, Printer, Table};

/// The widths of the columns before the summary of a step.
struct Columns {
    index: usize,
    task: usize,
    name: usize,
}

/// How a step ended. A step is skipped if another step prevents it from running.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StepStatus {
    Ok,
    Failed,
    Skipped,
}

impl Printer {
    pub(crate) fn chain(&self, chain: &ChainResultEnvelope) {
        let columns = Columns::new(&chain.results);
        for (index, step) in chain.results.iter().enumerate() {
            self.step(index, step, &columns);
        }
        let statuses: Vec<_> = chain.results.iter().map(StepStatus::from_result).collect();
        self.line(summary(&statuses, &chain.meta));
        for warning in &chain.meta.warnings {
            let warning = sanitize(warning);
            self.line(format_args!("{BOLD}warning{BOLD:#}: {warning}"));
        }
        self.cost(chain.meta.cost);
    }

    fn step(&self, index: usize, step: &ChainStepResult, columns: &Columns) {
        let status = StepStatus::from_result(step);
        let task = sanitize(&step.task);
        let name = sanitize(step.name.as_deref().unwrap_or_default());
        let named = match columns.name {
            0 => String::new(),
            width => format!("{name:width$}  "),
        };
        let indent = columns.before_summary();
        let what = match (&step.error, &step.data) {
            (Some(error), _) => self.step_error(error, status, indent),
            (None, Some(data)) => match &step.meta.note {
                Some(note) => sanitize(note).into_owned(),
                None => {
                    let room = Table::terminal_width().map(|room| room.saturating_sub(indent));
                    step_summary(data, step.meta.pagination.as_ref(), room)
                }
            },
            (None, None) => String::new(),
        };
        let line = format!(
            "{DIM}{index:>i$}{DIM:#}  {}  {NAME}{task:t$}{NAME:#}  {named}{what}",
            status.styled(),
            i = columns.index,
            t = columns.task
        );
        self.line(line.trim_end());
        for warning in &step.meta.warnings {
            let warning = sanitize(warning);
            self.line(format_args!(
                "{:indent$}{BOLD}warning{BOLD:#}: {warning}",
                ""
            ));
        }
        for attempt in step.meta.attempts.iter().flatten() {
            self.line(format_args!("{:indent$}{}", "", attempt_line(attempt)));
        }
    }

    fn step_error(&self, error: &ResultError, status: StepStatus, indent: usize) -> String {
        let message = sanitize(&error.message);
        if status == StepStatus::Skipped {
            // The status column says `skipped` already.
            let why = message.strip_prefix("skipped: ");
            return why.unwrap_or(&message).to_owned();
        }
        let text = format!("{ERROR}{}{ERROR:#}: {message}", error.code);
        match error.details.get("mend") {
            Some(mend) => {
                let command = self.command(mend);
                format!("{text}\n{:indent$}{DIM}try{DIM:#}  {command}", "")
            }
            None => text,
        }
    }
}

impl Columns {
    fn new(steps: &[ChainStepResult]) -> Self {
        let width = |text: &str| sanitize(text).chars().count();
        let names = steps.iter().filter_map(|step| step.name.as_deref());
        Self {
            index: steps.len().saturating_sub(1).to_string().len(),
            task: steps
                .iter()
                .map(|step| width(&step.task))
                .max()
                .unwrap_or(0),
            name: names.map(width).max().unwrap_or(0),
        }
    }

    fn before_summary(&self) -> usize {
        let name = match self.name {
            0 => 0,
            width => width + 2,
        };
        self.index + 2 + StepStatus::WIDTH + 2 + self.task + 2 + name
    }
}

impl StepStatus {
    const WIDTH: usize = "skipped".len();

    fn from_result(step: &ChainStepResult) -> Self {
        match &step.error {
            None => StepStatus::Ok,
            Some(error) if error.details.contains_key("step") => StepStatus::Skipped,
            Some(_) => StepStatus::Failed,
        }
    }

    fn styled(self) -> String {
        let width = Self::WIDTH;
        match self {
            StepStatus::Ok => format!("{GOOD}{:width$}{GOOD:#}", "ok"),
            StepStatus::Failed => format!("{ERROR}{:width$}{ERROR:#}", "failed"),
            StepStatus::Skipped => format!("{DIM}{:width$}{DIM:#}", "skipped"),
        }
    }
}

/// Returns a text such as `18 ok, 2 failed · 2 requests · 340 ms`.
fn summary(statuses: &[StepStatus], meta: &ChainMeta) -> String {
    let count = |status: StepStatus| statuses.iter().filter(|it| **it == status).count();
    let counts = [
        (count(StepStatus::Ok), "ok"),
        (count(StepStatus::Failed), "failed"),
        (count(StepStatus::Skipped), "skipped"),
    ];
    let steps: Vec<_> = counts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    let requests = match meta.requests {
        1 => "1 request".to_owned(),
        many => format!("{many} requests"),
    };
    let time = meta
        .timings
        .map(|timings| format!(" · {} ms", timings.total_ms));
    format!(
        "{BOLD}{}{BOLD:#} · {requests}{}",
        steps.join(", "),
        time.unwrap_or_default()
    )
}
