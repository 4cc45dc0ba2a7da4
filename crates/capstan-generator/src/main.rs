//! `capstan-generator`: writes the catalogue, shows how it drifts, and tells which outlines become cards.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program on the command line"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, anyhow};
use capstan_catalog::outline::read_outlines;
use capstan_generator::{Catalogue, Document, Drift, Rules, Support, joined};
use clap::{Args, Parser, Subcommand};

#[derive(Parser)]
#[command(about = "Turns a description of a REST API into the catalogue of outlines")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write the catalogue and show what changed.
    Write(Sources),
    /// Show what would change. Fails if anything would.
    Check(Sources),
    /// Tell which outlines become cards, and why others do not.
    Support {
        /// The folder of outlines.
        #[arg(long, default_value = "catalogue/rest")]
        folder: PathBuf,
    },
}

#[derive(Args)]
struct Sources {
    /// The description of the API, as JSON.
    description: PathBuf,
    #[arg(long, default_value = "catalogue/rules.yaml")]
    rules: PathBuf,
    /// The folder of outlines.
    #[arg(long, default_value = "catalogue/rest")]
    folder: PathBuf,
}

fn main() -> ExitCode {
    match run(&Arguments::parse().command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs a command and returns whether all is as it should be.
fn run(command: &Command) -> anyhow::Result<bool> {
    match command {
        Command::Write(sources) => {
            let catalogue = build(sources)?;
            print!("{}", Drift::new(&catalogue, &sources.folder));
            write(&catalogue, &sources.folder)?;
            Ok(true)
        }
        Command::Check(sources) => {
            let drift = Drift::new(&build(sources)?, &sources.folder);
            print!("{drift}");
            Ok(drift.is_empty())
        }
        Command::Support { folder } => {
            let outlines =
                read_outlines(folder).map_err(|problems| anyhow!(problems.join("\n")))?;
            print!("{}", Support::of(&outlines));
            Ok(true)
        }
    }
}

fn build(sources: &Sources) -> anyhow::Result<Catalogue> {
    let text = fs::read_to_string(&sources.description)
        .with_context(|| format!("cannot read `{}`", sources.description.display()))?;
    let document = Document::parse(&text)?;
    let rules = Rules::read(&sources.rules)?;
    Catalogue::build(&document, &rules).map_err(|problems| anyhow!(joined(&problems)))
}

/// Writes the files of a catalogue, and removes those of domains that are gone.
fn write(catalogue: &Catalogue, folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create `{}`", folder.display()))?;
    let files = catalogue.files();
    let drift = Drift::new(catalogue, folder);
    for name in &drift.files {
        let file = folder.join(name);
        match files.get(name) {
            Some(text) => fs::write(&file, text),
            None => fs::remove_file(&file),
        }
        .with_context(|| format!("cannot write `{}`", file.display()))?;
    }
    Ok(())
}
