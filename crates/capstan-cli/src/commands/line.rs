//! `capstan issue.list --label bug`: capabilities in the words of `gh`, one on the command line or several from
//! standard input.

use anyhow::bail;
use capstan_core::{ChainRequest, ChainStep, ErrorCode, Format, ResultError};
use capstan_engine::{ReadLine, to_reader_text};
use capstan_lines::{quote, split};
use capstan_server::view::{self, Subject};
use clap::CommandFactory as _;

use super::{Context, failed, leave};
use crate::args::Cli;
use crate::exit::Exit;
use crate::input::standard_input;
use crate::interrupt::interruptible;
use crate::output::{Printer, ProgressLine};
use crate::wiring::{self, Wired};

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Written {
    /// Tables for people on a terminal, JSON in a pipe.
    AsUsual,
    /// Text for an agent.
    View,
    As(Format),
}

/// What is said beside the line itself.
struct How {
    written: Written,
    json: bool,
    dry_run: bool,
    /// The shell has read the words: a `$` that is left in them is meant as it is.
    is_literal: bool,
}

/// Runs one line that stands on the command line.
pub(crate) async fn run(context: &Context, words: &[String]) -> anyhow::Result<Exit> {
    let (words, how) = own_flags(context, words)?;
    if let Some(command) = words.first().and_then(|word| misspelt_command(word)) {
        let word = &words[0];
        bail!(
            "there is no command or capability `{word}`: did you mean `{command}`? `capstan --help` lists the commands"
        );
    }
    let line: Vec<_> = words.iter().map(|word| quote(word)).collect();
    run_lines(context, vec![line.join(" ")], &how).await
}

/// Runs the lines that are given, or those on standard input.
pub(crate) async fn run_input(
    context: &Context,
    given: &[String],
    is_json: bool,
) -> anyhow::Result<Exit> {
    let lines = if given.is_empty() {
        split(&standard_input()?)?
    } else {
        given.to_vec()
    };
    if lines.is_empty() {
        bail!("standard input has no lines: expected some, such as `issue.view 47`");
    }
    let (_, mut how) = own_flags(context, &[])?;
    how.json |= is_json;
    how.is_literal = false;
    run_lines(context, lines, &how).await
}

async fn run_lines(context: &Context, lines: Vec<String>, how: &How) -> anyhow::Result<Exit> {
    let config = context.config()?;
    context.start_logging();
    let catalog = context.catalog(&config);
    let wired = wiring::wire(&context.global, &config, &context.environment, catalog).await?;
    let printer = Printer::new(
        how.json || matches!(how.written, Written::As(_)),
        wired.capstan.redactor().clone(),
    )
    .with_flags(&context.global.flags());
    let exit = match wired.capstan.read_lines(&lines).await {
        Ok(read) => execute(context, &wired, read, how, &printer).await,
        Err(bad) => {
            let text = view::wrong_lines(&bad, lines.len());
            if how.written == Written::View && !how.json {
                printer.line(text);
                Ok(Exit::Usage)
            } else {
                let error = ResultError::new(ErrorCode::Validation, text);
                failed(&printer, &error).map(|_| Exit::Usage)
            }
        }
    };
    leave(&wired.capstan).await;
    exit
}

async fn execute(
    context: &Context,
    wired: &Wired,
    read: Vec<ReadLine>,
    how: &How,
    printer: &Printer,
) -> anyhow::Result<Exit> {
    let capstan = &wired.capstan;
    let is_alone = |line: &ReadLine| {
        let ChainStep { each, when, .. } = &line.step;
        line.stands_alone() || (how.is_literal && each.is_none() && when.is_none())
    };
    let runs_alone = read.len() == 1 && read.iter().all(is_alone);
    let request = ChainRequest {
        verbatim: runs_alone,
        steps: read.into_iter().map(|line| line.step).collect(),
        ..ChainRequest::default()
    };
    if how.dry_run {
        return match capstan.dry_run_chain(&request).await {
            Ok(plan) => {
                if printer.is_machine() {
                    printer.json(&plan)?;
                } else {
                    printer.plan(&plan);
                }
                Ok(Exit::from(&plan))
            }
            Err(error) => failed(printer, &error).map(|_| Exit::Usage),
        };
    }
    let subjects = Subject::of_steps(capstan, &request.steps);
    let progress = ProgressLine::start(context.environment.log.is_none());
    let watch = |now: capstan_engine::Progress| progress.show(&now);
    // A line alone is answered like a run.
    if let ([step], [subject]) = (request.steps.as_slice(), subjects.as_slice())
        && runs_alone
    {
        let work = capstan.execute_task_watched(&step.request, &watch);
        let done = interruptible(capstan, work).await;
        drop(progress);
        let envelope = match done {
            Ok(envelope) => envelope,
            Err(signal) => return Ok(signal.into()),
        };
        match how.written {
            Written::View if !how.json => printer.line(view::one(&envelope, subject, capstan)),
            Written::As(format) => printer.line(to_reader_text(&envelope, format)),
            _ if printer.is_machine() => printer.line(to_reader_text(&envelope, Format::Json)),
            _ => {
                printer.envelope(&envelope);
                printer.repository_hint(envelope.error.iter());
            }
        }
        return Ok(Exit::from(&envelope));
    }
    let work = capstan.execute_tasks_watched(&request, &watch);
    let done = interruptible(capstan, work).await;
    drop(progress);
    let envelope = match done {
        Ok(envelope) => envelope,
        Err(signal) => return Ok(signal.into()),
    };
    match how.written {
        Written::View if !how.json => printer.line(view::chain(&envelope, &subjects)),
        Written::As(format) => printer.line(to_reader_text(&envelope, format)),
        _ if printer.is_machine() => printer.line(to_reader_text(&envelope, Format::Json)),
        _ => {
            printer.chain(&envelope);
            printer.repository_hint(envelope.results.iter().filter_map(|it| it.error.as_ref()));
        }
    }
    Ok(Exit::from(&envelope))
}

/// The command that a word nearly is. Capabilities have a dot in their ids, or several words, of which the first is a
/// domain.
fn misspelt_command(word: &str) -> Option<String> {
    const ALIKE: f64 = 0.6;
    if word.contains('.')
        || capstan_cards::CARDS
            .iter()
            .any(|card| card.id.starts_with(word))
    {
        return None;
    }
    let cli = Cli::command();
    let names = cli.get_subcommands().map(|command| command.get_name());
    let alike = names.map(|name| (strsim::normalized_damerau_levenshtein(name, word), name));
    let (likeness, name) = alike.max_by(|(left, _), (right, _)| left.total_cmp(right))?;
    (likeness >= ALIKE).then(|| name.to_owned())
}

/// Takes out what is for us and not for the capability: `--format`, `--dry-run`, and `--json` without columns.
fn own_flags(context: &Context, words: &[String]) -> anyhow::Result<(Vec<String>, How)> {
    let mut how = How {
        written: if context.environment.is_agent {
            Written::View
        } else {
            Written::AsUsual
        },
        json: context.global.json,
        dry_run: false,
        is_literal: true,
    };
    let mut rest = Vec::new();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let is_last = words.peek().is_none_or(|next| next.starts_with('-'));
        match word.as_str() {
            "--" => {
                rest.push(word.clone());
                rest.extend(words.by_ref().cloned());
            }
            "--dry-run" => how.dry_run = true,
            "--json" if is_last => how.json = true,
            "--format" => match words.next() {
                Some(format) => how.written = written(format)?,
                None => bail!("`--format` has no value: expected view, json or toon"),
            },
            other => match other.strip_prefix("--format=") {
                Some(format) => how.written = written(format)?,
                None => rest.push(word.clone()),
            },
        }
    }
    Ok((rest, how))
}

fn written(format: &str) -> anyhow::Result<Written> {
    Ok(match format {
        "view" => Written::View,
        "json" => Written::As(Format::Json),
        "toon" => Written::As(Format::Toon),
        other => bail!("`--format` is `{other}`: expected view, json or toon"),
    })
}
