//! `capstan issue.list --label bug`: runs lines in the syntax of `gh`, one from the command line, or several from
//! `capstan run -`.

use anyhow::{anyhow, bail};
use capstan_core::{ChainRequest, ChainStep, ErrorCode, Format, ResultError, similar};
use capstan_engine::{ReadLine, to_reader_text};
use capstan_lines::{quote, split};
use capstan_presenter::Subject;
use clap::CommandFactory as _;

use super::{Context, failed};
use crate::args::{Cli, OutputFormat, RunArgs, parse_output_format};
use crate::exit::Exit;
use crate::input::{self, read_standard_input};
use crate::interrupt::interruptible;
use crate::output::{Printer, ProgressLine};
use crate::wiring::Engine;

/// How lines are run and printed.
struct LineOptions {
    /// The output format. `None` prints tables on a terminal, and JSON in a pipe.
    format: Option<OutputFormat>,
    json: bool,
    dry_run: bool,
    /// The repository for lines that name none.
    repository: Option<(String, String)>,
    /// Whether a `$` is literal text. True for the command line, where the shell has expanded variables already.
    is_literal: bool,
}

impl LineOptions {
    /// Returns the defaults for one line on the command line.
    fn defaults(context: &Context) -> Self {
        Self {
            format: context.environment.is_agent.then_some(OutputFormat::View),
            json: context.global.json,
            dry_run: false,
            repository: None,
            is_literal: true,
        }
    }
}

/// Runs the line that the arguments of the command line form.
pub(crate) async fn run(context: &Context, words: &[String]) -> anyhow::Result<Exit> {
    let (words, options) = split_own_flags(context, words)?;
    if let Some(command) = words.first().and_then(|word| misspelt_command(word)) {
        let word = &words[0];
        bail!(
            "there is no command or capability `{word}`: did you mean `{command}`? `capstan --help` lists the commands"
        );
    }
    let line: Vec<_> = words.iter().map(|word| quote(word)).collect();
    run_lines(context, vec![line.join(" ")], &options).await
}

/// Runs the lines after `capstan run -`, or those of standard input.
pub(crate) async fn run_lines_of_args(context: &Context, args: &RunArgs) -> anyhow::Result<Exit> {
    if let Some(flag) = flag_for_single_capability(args) {
        bail!(
            "`{flag}` cannot be used with `run -`: it takes `--repo`, `--format` and `--dry-run`, and lines have their own flags"
        );
    }
    let lines = if args.inputs.is_empty() {
        split(&read_standard_input()?)?
    } else {
        args.inputs.clone()
    };
    if lines.is_empty() {
        bail!("standard input has no lines: expected lines such as `issue.view 47`");
    }
    let defaults = LineOptions::defaults(context);
    let options = LineOptions {
        format: args.options.format.or(defaults.format),
        dry_run: args.options.dry_run,
        repository: args
            .repo
            .as_deref()
            .map(input::parse_repository)
            .transpose()?,
        is_literal: false,
        ..defaults
    };
    run_lines(context, lines, &options).await
}

/// Returns a flag that was given but applies to a single capability, so that lines would ignore it.
fn flag_for_single_capability(args: &RunArgs) -> Option<&'static str> {
    let single = &args.options;
    let given = [
        ("--input", args.input.is_some()),
        ("--route", single.route.is_some()),
        ("--trace", single.trace),
        ("--full", single.full),
        ("--fields", single.fields.is_some()),
        ("--timeout-ms", single.timeout_ms.is_some()),
        ("--cost", single.cost),
    ];
    let found = given.into_iter().find(|(_, is_given)| *is_given);
    found.map(|(flag, _)| flag)
}

async fn run_lines(
    context: &Context,
    lines: Vec<String>,
    options: &LineOptions,
) -> anyhow::Result<Exit> {
    let context = context.with_repository(options.repository.clone());
    let engine = context.engine().await?;
    let is_for_programs = options.json || matches!(options.format, Some(OutputFormat::Data(_)));
    let printer = context.printer_of(&engine, is_for_programs);
    let exit = match engine.capstan.read_lines(&lines).await {
        Ok(read) => execute(&context, &engine, read, options, &printer).await,
        Err(bad) => {
            let text = capstan_presenter::bad_lines_text(&bad, lines.len());
            if options.format == Some(OutputFormat::View) && !options.json {
                printer.line(text);
                Ok(Exit::Usage)
            } else {
                let error = ResultError::new(ErrorCode::Validation, text);
                failed(&printer, &error).map(|_| Exit::Usage)
            }
        }
    };
    engine.shut_down().await;
    exit
}

async fn execute(
    context: &Context,
    engine: &Engine,
    read: Vec<ReadLine>,
    options: &LineOptions,
    printer: &Printer,
) -> anyhow::Result<Exit> {
    let capstan = &engine.capstan;
    let is_alone = |line: &ReadLine| {
        let ChainStep { each, when, .. } = &line.step;
        line.stands_alone() || (options.is_literal && each.is_none() && when.is_none())
    };
    let runs_alone = read.len() == 1 && read.iter().all(is_alone);
    let request = ChainRequest {
        steps: read.into_iter().map(|line| line.step).collect(),
        ..ChainRequest::default()
    };
    if options.dry_run {
        let plan = if runs_alone {
            capstan.dry_run_verbatim(&request).await
        } else {
            capstan.dry_run_chain(&request).await
        };
        return match plan {
            Ok(plan) => {
                if printer.is_for_programs() {
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
    // The result of a single line is printed like that of `capstan run`.
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
        match options.format {
            Some(OutputFormat::View) if !options.json => {
                printer.line(capstan_presenter::result_text(&envelope, subject, capstan));
            }
            Some(OutputFormat::Data(format)) => printer.line(to_reader_text(&envelope, format)),
            _ if printer.is_for_programs() => printer.line(to_reader_text(&envelope, Format::Json)),
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
    match options.format {
        Some(OutputFormat::View) if !options.json => {
            printer.line(capstan_presenter::chain_text(&envelope, &subjects));
        }
        Some(OutputFormat::Data(format)) => printer.line(to_reader_text(&envelope, format)),
        _ if printer.is_for_programs() => printer.line(to_reader_text(&envelope, Format::Json)),
        _ => {
            printer.chain(&envelope);
            printer.repository_hint(envelope.results.iter().filter_map(|it| it.error.as_ref()));
        }
    }
    Ok(Exit::from(&envelope))
}

/// Returns the command that a word resembles. `None` if the word may begin a capability: the id of one, which has a
/// dot, or a domain.
fn misspelt_command(word: &str) -> Option<String> {
    let is_domain = capstan_cards::GENERATED.has_prefix(&format!("{word}."));
    if word.contains('.') || capstan_cards::CARDS.has_prefix(word) || is_domain {
        return None;
    }
    let cli = Cli::command();
    let names = cli.get_subcommands().map(|command| command.get_name());
    similar::closest(word, names).map(str::to_owned)
}

/// Separates Capstan's own flags from those of the capability: `--format`, `--dry-run`, and `--json` without columns.
fn split_own_flags(
    context: &Context,
    words: &[String],
) -> anyhow::Result<(Vec<String>, LineOptions)> {
    let mut options = LineOptions::defaults(context);
    let mut rest = Vec::new();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let is_last = words.peek().is_none_or(|next| next.starts_with('-'));
        match word.as_str() {
            "--" => {
                rest.push(word.clone());
                rest.extend(words.by_ref().cloned());
            }
            "--dry-run" => options.dry_run = true,
            "--json" if is_last => options.json = true,
            "--format" => match words.next() {
                Some(format) => options.format = Some(parse_format(format)?),
                None => bail!("`--format` has no value: expected view, json or toon"),
            },
            other => match other.strip_prefix("--format=") {
                Some(format) => options.format = Some(parse_format(format)?),
                None => rest.push(word.clone()),
            },
        }
    }
    Ok((rest, options))
}

fn parse_format(format: &str) -> anyhow::Result<OutputFormat> {
    parse_output_format(format).map_err(|expected| anyhow!("`--format` is `{format}`: {expected}"))
}
