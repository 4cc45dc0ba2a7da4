//! `capstan skill run`: a skill, from its beginning or from where a run of it stopped.

use anyhow::bail;
use serde_json::{Map, Value, json};

use crate::args::{RunArgs, SkillRunArgs};
use crate::commands::{Context, run};
use crate::exit::Exit;

pub(super) async fn run(context: &Context, args: &SkillRunArgs) -> anyhow::Result<Exit> {
    let args = match &args.resume {
        Some(run) => resume(run, args)?,
        None => RunArgs {
            capability: args.name.clone().unwrap_or_default(),
            inputs: args.inputs.clone(),
            input: args.input.clone(),
            repo: args.repo.clone(),
            how: args.how.clone(),
        },
    };
    run::run(context, &args).await
}

/// The same, as an agent would ask for it.
fn resume(run: &str, args: &SkillRunArgs) -> anyhow::Result<RunArgs> {
    let mut input = json!({"run": run});
    if let Some(given) = &args.input {
        let given = crate::input::object(given, "--input")?;
        input["input"] = given.into();
    }
    if !args.done.is_empty() {
        let steps: anyhow::Result<Map<_, _>> = args.done.iter().map(|word| done(word)).collect();
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
        how: args.how.clone(),
    })
}

fn done(word: &str) -> anyhow::Result<(String, Value)> {
    let Some((step, gave)) = word.split_once('=') else {
        bail!(
            "`--done {word}` does not say what the step gave: expected {word}=JSON, such as {word}={{}}"
        );
    };
    let gave = crate::input::json(gave, &format!("what `--done {step}` gave"))?;
    Ok((step.to_owned(), gave))
}
