//! `capstan issue.list --label bug`: capabilities in the words of `gh`, one on the command line or several from
//! standard input.

use anyhow::{anyhow, bail};
use capstan_core::{ChainRequest, ChainStep, ErrorCode, Format, ResultError, similar};
use capstan_engine::{ReadLine, to_reader_text};
use capstan_lines::{quote, split};
use capstan_presenter::Subject;
use clap::CommandFactory as _;

use super::{Context, failed};
use crate::args::{Cli, RunArgs, TextForm, text_form};
use crate::exit::Exit;
use crate::input::{self, standard_input};
use crate::interrupt::interruptible;
use crate::output::{Printer, ProgressLine};
use crate::wiring::Engine;

/// What is said beside the line itself.
struct How {
    /// Without it: tables for people on a terminal, JSON in a pipe.
    form: Option<TextForm>,
    json: bool,
    dry_run: bool,
    /// The repository of lines that name none.
    repository: Option<(String, String)>,
    /// The shell has read the words: a `$` that is left in them is meant as it is.
    is_literal: bool,
}

impl How {
    /// What holds for one line of which nothing else is said.
    fn usual(context: &Context) -> Self {
        Self {
            form: context.environment.is_agent.then_some(TextForm::View),
            json: context.global.json,
            dry_run: false,
            repository: None,
            is_literal: true,
        }
    }
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
pub(crate) async fn run_input(context: &Context, args: &RunArgs) -> anyhow::Result<Exit> {
    if let Some(flag) = flag_of_a_line(args) {
        bail!(
            "`{flag}` is not for `run -`: beside the lines it takes `--repo`, `--format` and `--dry-run`"
        );
    }
    let lines = if args.inputs.is_empty() {
        split(&standard_input()?)?
    } else {
        args.inputs.clone()
    };
    if lines.is_empty() {
        bail!("standard input has no lines: expected some, such as `issue.view 47`");
    }
    let usual = How::usual(context);
    let how = How {
        form: args.how.format.or(usual.form),
        dry_run: args.how.dry_run,
        repository: args.repo.as_deref().map(input::repository).transpose()?,
        is_literal: false,
        ..usual
    };
    run_lines(context, lines, &how).await
}

/// A flag that holds for one capability and would be lost here.
fn flag_of_a_line(args: &RunArgs) -> Option<&'static str> {
    let how = &args.how;
    let given = [
        ("--input", args.input.is_some()),
        ("--route", how.route.is_some()),
        ("--trace", how.trace),
        ("--full", how.full),
        ("--fields", how.fields.is_some()),
        ("--timeout-ms", how.timeout_ms.is_some()),
        ("--cost", how.cost),
    ];
    let found = given.into_iter().find(|(_, is_given)| *is_given);
    found.map(|(flag, _)| flag)
}

async fn run_lines(context: &Context, lines: Vec<String>, how: &How) -> anyhow::Result<Exit> {
    let context = context.with_repository(how.repository.clone());
    let engine = context.engine().await?;
    let is_for_programs = how.json || matches!(how.form, Some(TextForm::As(_)));
    let printer = context.printer_of(&engine, is_for_programs);
    let exit = match engine.capstan.read_lines(&lines).await {
        Ok(read) => execute(&context, &engine, read, how, &printer).await,
        Err(bad) => {
            let text = capstan_presenter::bad_lines_text(&bad, lines.len());
            if how.form == Some(TextForm::View) && !how.json {
                printer.line(text);
                Ok(Exit::Usage)
            } else {
                let error = ResultError::new(ErrorCode::Validation, text);
                failed(&printer, &error).map(|_| Exit::Usage)
            }
        }
    };
    engine.leave().await;
    exit
}

async fn execute(
    context: &Context,
    engine: &Engine,
    read: Vec<ReadLine>,
    how: &How,
    printer: &Printer,
) -> anyhow::Result<Exit> {
    let capstan = &engine.capstan;
    let is_alone = |line: &ReadLine| {
        let ChainStep { each, when, .. } = &line.step;
        line.stands_alone() || (how.is_literal && each.is_none() && when.is_none())
    };
    let runs_alone = read.len() == 1 && read.iter().all(is_alone);
    let request = ChainRequest {
        steps: read.into_iter().map(|line| line.step).collect(),
        ..ChainRequest::default()
    };
    if how.dry_run {
        let plan = if runs_alone {
            capstan.dry_run_verbatim(&request).await
        } else {
            capstan.dry_run_chain(&request).await
        };
        return match plan {
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
    let subjects = Subject::from_steps(capstan, &request.steps);
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
        match how.form {
            Some(TextForm::View) if !how.json => {
                printer.line(capstan_presenter::result_text(&envelope, subject, capstan));
            }
            Some(TextForm::As(format)) => printer.line(to_reader_text(&envelope, format)),
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
    match how.form {
        Some(TextForm::View) if !how.json => {
            printer.line(capstan_presenter::chain_text(&envelope, &subjects));
        }
        Some(TextForm::As(format)) => printer.line(to_reader_text(&envelope, format)),
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
    if word.contains('.')
        || capstan_cards::CARDS
            .iter()
            .any(|card| card.id.starts_with(word))
    {
        return None;
    }
    let cli = Cli::command();
    let names = cli.get_subcommands().map(|command| command.get_name());
    similar::closest(word, names).map(str::to_owned)
}

/// Takes out what is for us and not for the capability: `--format`, `--dry-run`, and `--json` without columns.
fn own_flags(context: &Context, words: &[String]) -> anyhow::Result<(Vec<String>, How)> {
    let mut how = How::usual(context);
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
                Some(format) => how.form = Some(form(format)?),
                None => bail!("`--format` has no value: expected view, json or toon"),
            },
            other => match other.strip_prefix("--format=") {
                Some(format) => how.form = Some(form(format)?),
                None => rest.push(word.clone()),
            },
        }
    }
    Ok((rest, how))
}

fn form(format: &str) -> anyhow::Result<TextForm> {
    text_form(format).map_err(|expected| anyhow!("`--format` is `{format}`: {expected}"))
}
