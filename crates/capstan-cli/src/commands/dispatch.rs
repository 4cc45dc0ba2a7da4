//! Runs the command that the command line names.

use std::future::Future;

use anyhow::Context as _;

use super::{
    Context, call, cap, cards, chain, check, completions, demo, dep, doctor, exec, explain, graph,
    line, list, mcp, run, search, serve, setup, sim, skill, suggest, trace, types,
};
use crate::args::{Cli, Command};
use crate::environment::Environment;
use crate::exit::Exit;

pub(crate) fn dispatch(cli: Cli, environment: Environment) -> anyhow::Result<Exit> {
    let context = Context::new(cli.global, environment);
    match cli.command {
        Command::Run(args) => block_on(run::run(&context, &args)),
        Command::Chain(args) => block_on(chain::run(&context, &args)),
        Command::Exec(args) => block_on(exec::run(&context, &args)),
        Command::Call(args) => block_on(call::run(&context, &args)),
        Command::Cap(command) => block_on(cap::run(&context, &command)),
        Command::Cards(command) => block_on(cards::run(&context, &command)),
        Command::Dep(command) => block_on(dep::run(&context, &command)),
        Command::Graph(command) => block_on(graph::run(&context, &command)),
        Command::Trace(command) => block_on(trace::run(&context, &command)),
        Command::Skill(command) => skill::run(&context, &command),
        Command::Check(args) => check::run(&context, &args),
        Command::Explain(args) => explain::run(&context, &args),
        Command::Types(args) => block_on(types::run(&context, &args)),
        Command::List(args) => list::run(&context, &args),
        Command::Search(args) => search::run(&context, &args),
        Command::Suggest(args) => block_on(suggest::run(&context, &args)),
        Command::Doctor(args) => block_on(doctor::run(&context, &args)),
        Command::Demo => block_on(demo::run(&context)),
        Command::Sim(args) => block_on(sim::run(&context, &args)),
        Command::Mcp(args) => block_on(mcp::run(&context, &args)),
        Command::Serve(args) => block_on(serve::run(&context, &args)),
        Command::Setup(args) => setup::run(&context, &args),
        Command::Completions { shell } => completions::run(&context, shell),
        Command::Line(words) => block_on(line::run(&context, &words)),
    }
}

/// Runs a future to its end on a new runtime. Commands that do not need one start faster without it.
pub(super) fn block_on<T>(future: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime
        .context("cannot start the runtime")?
        .block_on(future)
}
