//! The result of a chain for people: a line for each step, then what it came to.

use capstan_core::{ChainMeta, ChainResultEnvelope, ChainStepResult, ResultError};

use super::envelope::attempted;
use super::gist::gist;
use super::harmless::harmless;
use super::{BOLD, DIM, ERROR, GOOD, NAME, Printer, Table};

/// How wide the columns before the gist are.
struct Columns {
    index: usize,
    task: usize,
    name: usize,
}

/// How a step went: `skipped` is one that was not run because of another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Ok,
    Failed,
    Skipped,
}

impl Printer {
    pub(crate) fn chain(&self, chain: &ChainResultEnvelope) {
        let columns = Columns::of(&chain.results);
        for (index, step) in chain.results.iter().enumerate() {
            self.step(index, step, &columns);
        }
        let marks: Vec<_> = chain.results.iter().map(Mark::of).collect();
        self.line(summary(&marks, &chain.meta));
        for warning in &chain.meta.warnings {
            let warning = harmless(warning);
            self.line(format_args!("{BOLD}warning{BOLD:#}: {warning}"));
        }
        self.cost(chain.meta.cost);
    }

    fn step(&self, index: usize, step: &ChainStepResult, columns: &Columns) {
        let mark = Mark::of(step);
        let task = harmless(&step.task);
        let name = harmless(step.name.as_deref().unwrap_or_default());
        let named = match columns.name {
            0 => String::new(),
            width => format!("{name:width$}  "),
        };
        let indent = columns.before_gist();
        let what = match (&step.error, &step.data) {
            (Some(error), _) => self.step_error(error, mark, indent),
            (None, Some(data)) => match &step.meta.note {
                Some(note) => harmless(note).into_owned(),
                None => {
                    let room = Table::room().map(|room| room.saturating_sub(indent));
                    gist(data, step.meta.pagination.as_ref(), room)
                }
            },
            (None, None) => String::new(),
        };
        let line = format!(
            "{DIM}{index:>i$}{DIM:#}  {}  {NAME}{task:t$}{NAME:#}  {named}{what}",
            mark.shown(),
            i = columns.index,
            t = columns.task
        );
        self.line(line.trim_end());
        for warning in &step.meta.warnings {
            let warning = harmless(warning);
            self.line(format_args!(
                "{:indent$}{BOLD}warning{BOLD:#}: {warning}",
                ""
            ));
        }
        for attempt in step.meta.attempts.iter().flatten() {
            self.line(format_args!("{:indent$}{}", "", attempted(attempt)));
        }
    }

    fn step_error(&self, error: &ResultError, mark: Mark, indent: usize) -> String {
        let message = harmless(&error.message);
        if mark == Mark::Skipped {
            // Its mark says so already.
            let why = message.strip_prefix("skipped: ");
            return why.unwrap_or(&message).to_owned();
        }
        let told = format!("{ERROR}{}{ERROR:#}: {message}", error.code);
        match error.details.get("mend") {
            Some(mend) => {
                let command = self.command(mend);
                format!("{told}\n{:indent$}{DIM}try{DIM:#}  {command}", "")
            }
            None => told,
        }
    }
}

impl Columns {
    fn of(steps: &[ChainStepResult]) -> Self {
        let width = |text: &str| harmless(text).chars().count();
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

    fn before_gist(&self) -> usize {
        let name = match self.name {
            0 => 0,
            width => width + 2,
        };
        self.index + 2 + Mark::WIDTH + 2 + self.task + 2 + name
    }
}

impl Mark {
    const WIDTH: usize = "skipped".len();

    fn of(step: &ChainStepResult) -> Self {
        match &step.error {
            None => Mark::Ok,
            Some(error) if error.details.contains_key("step") => Mark::Skipped,
            Some(_) => Mark::Failed,
        }
    }

    fn shown(self) -> String {
        let width = Self::WIDTH;
        match self {
            Mark::Ok => format!("{GOOD}{:width$}{GOOD:#}", "ok"),
            Mark::Failed => format!("{ERROR}{:width$}{ERROR:#}", "failed"),
            Mark::Skipped => format!("{DIM}{:width$}{DIM:#}", "skipped"),
        }
    }
}

/// `18 ok, 2 failed · 2 requests · 340 ms`.
fn summary(marks: &[Mark], meta: &ChainMeta) -> String {
    let count = |mark: Mark| marks.iter().filter(|it| **it == mark).count();
    let steps = [
        (count(Mark::Ok), "ok"),
        (count(Mark::Failed), "failed"),
        (count(Mark::Skipped), "skipped"),
    ];
    let steps: Vec<_> = steps
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
