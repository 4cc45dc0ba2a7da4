//! `capstan-generator`: writes the catalogue, shows how it drifts, and tells which outlines become cards.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program on the command line"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, anyhow};
use capstan_catalog::outline::read_outlines;
use capstan_generator::{
    Catalogue, Document, Drift, GraphqlRules, GraphqlSchema, RootKind, Rules, Support,
    catalogue_from_schema, ids_of_cards, joined,
};
use clap::{Args, Parser, Subcommand};

#[derive(Parser)]
#[command(
    about = "Turns a description of a REST API and a GraphQL schema into the catalogue of outlines"
)]
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
        /// The folders of outlines.
        #[arg(long, default_values = ["catalogue/rest", "catalogue/graphql"])]
        folder: Vec<PathBuf>,
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
    /// The GraphQL schema. A later file may extend an earlier one.
    #[arg(long, default_values = ["schema/github.graphql", "schema/extensions.graphql"])]
    schema: Vec<PathBuf>,
    #[arg(long, default_value = "catalogue/mutations.yaml")]
    mutation_rules: PathBuf,
    /// The folder of outlines of mutations.
    #[arg(long, default_value = "catalogue/graphql")]
    mutation_folder: PathBuf,
    /// The folder of cards that people wrote, whose ids are taken.
    #[arg(long, default_value = "cards")]
    cards: PathBuf,
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
            for (catalogue, folder) in build(sources)? {
                let drift = Drift::new(&catalogue, folder);
                print!("{}: {drift}", folder.display());
                write(&catalogue, folder, &drift)?;
            }
            Ok(true)
        }
        Command::Check(sources) => {
            let mut is_fresh = true;
            for (catalogue, folder) in build(sources)? {
                let drift = Drift::new(&catalogue, folder);
                print!("{}: {drift}", folder.display());
                is_fresh &= drift.is_empty();
            }
            Ok(is_fresh)
        }
        Command::Support { folder } => {
            for folder in folder {
                let outlines =
                    read_outlines(folder).map_err(|problems| anyhow!(problems.join("\n")))?;
                print!("{}: {}", folder.display(), Support::of(&outlines));
            }
            Ok(true)
        }
    }
}

/// Builds the catalogues, each with the folder in which it is written.
fn build(sources: &Sources) -> anyhow::Result<[(Catalogue, &Path); 2]> {
    let document = Document::parse(&text_of(&sources.description)?)?;
    let rules = Rules::read(&sources.rules)?;
    let rest = Catalogue::build(&document, &rules);
    let rest = rest.map_err(|problems| anyhow!(joined(&problems)))?;
    let mut texts = Vec::new();
    for file in &sources.schema {
        texts.push((file.display().to_string(), text_of(file)?));
    }
    let texts: Vec<(&str, &str)> = texts
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let schema = GraphqlSchema::parse(&texts)?;
    let rules = GraphqlRules::read(&sources.mutation_rules)?;
    let mut taken: BTreeSet<String> = rest.outlines.keys().cloned().collect();
    taken.extend(ids_of_cards(&sources.cards));
    let mutations = catalogue_from_schema(&schema, &rules, &[RootKind::Mutation], &taken);
    let mutations = mutations.map_err(|problems| anyhow!(joined(&problems)))?;
    Ok([
        (rest, &sources.folder),
        (mutations, &sources.mutation_folder),
    ])
}

fn text_of(file: &Path) -> anyhow::Result<String> {
    fs::read_to_string(file).with_context(|| format!("cannot read `{}`", file.display()))
}

/// Writes the files of a catalogue, and removes those of domains that are gone.
fn write(catalogue: &Catalogue, folder: &Path, drift: &Drift) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create `{}`", folder.display()))?;
    let files = catalogue.files();
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
