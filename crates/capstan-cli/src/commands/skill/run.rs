//! `capstan skill run`: runs a skill, or resumes a run.

use anyhow::bail;
use serde_json::{Map, Value, json};

use crate::args::{RunArgs, SkillRunArgs};
use crate::commands::{Context, run};
use crate::exit::Exit;

pub(super) async fn run(context: &Context, args: &SkillRunArgs) -> anyhow::Result<Exit> {
    let args = match &args.resume {
        Some(run) => resume_args(run, args)?,
        None => RunArgs {
            capability: args.name.clone().unwrap_or_default(),
            inputs: args.inputs.clone(),
            input: args.input.clone(),
            repo: args.repo.clone(),
            options: args.options.clone(),
        },
    };
    run::run(context, &args).await
}

/// Returns the arguments that resume a run with the capability `run.resume`.
fn resume_args(run: &str, args: &SkillRunArgs) -> anyhow::Result<RunArgs> {
    let mut input = json!({"run": run});
    if let Some(text) = &args.input {
        let given = crate::input::parse_object(text, "--input")?;
        input["input"] = given.into();
    }
    if !args.done.is_empty() {
        let steps: anyhow::Result<Map<_, _>> =
            args.done.iter().map(|word| parse_done(word)).collect();
        input["done"] = steps?.into();
    }
    if !args.redo.is_empty() {
        input["redo"] = json!(args.redo);
    }
    if args.take_over {
        input["take_over"] = true.into();
    }
    Ok(RunArgs {
        capability: "run.resume".to_owned(),
        inputs: Vec::new(),
        input: Some(input.to_string()),
        repo: None,
        options: args.options.clone(),
    })
}

/// Parses `STEP=JSON`.
fn parse_done(word: &str) -> anyhow::Result<(String, Value)> {
    let Some((step, output)) = word.split_once('=') else {
        bail!(
            "`--done {word}` lacks the output of the step: expected {word}=JSON, such as {word}={{}}"
        );
    };
    let output = crate::input::parse_json(output, &format!("the output in `--done {step}=…`"))?;
    Ok((step.to_owned(), output))
}
