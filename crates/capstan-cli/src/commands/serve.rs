//! `capstan serve`: relations, the graph and search over HTTP.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, bail, ensure};
use capstan_core::Secret;
use capstan_server::http::{AccessOptions, ListenError, listen};
use serde_json::json;

use super::Context;
use crate::args::ServeArgs;
use crate::exit::Exit;
use crate::interrupt::asked_to_stop;
use crate::output::{DIM, NAME, Printer, quoted};

/// Serves until the process is asked to stop; answers in the making are finished, unless it is asked again.
pub(crate) async fn run(context: &Context, args: &ServeArgs) -> anyhow::Result<Exit> {
    let mut environment = context.environment.clone();
    if let Some(file) = &args.token_file {
        environment.server_token = Some(token(file)?);
    } else if let Some(token) = &environment.server_token {
        check(token).context("CAPSTAN_TOKEN is no good")?;
    }
    let context = Context::new(context.global.clone(), environment);
    context.start_logging();
    let access = AccessOptions {
        token: context.environment.server_token.clone(),
        hosts: args.allow_host.clone(),
    };
    let listening = match listen(args.addr, access).await {
        Ok(listening) => listening,
        Err(ListenError::TokenRequired(cause)) => {
            bail!("{cause}: name a file with --token-file, or set CAPSTAN_TOKEN")
        }
        Err(cause) => {
            let cause = anyhow::Error::new(cause);
            bail!("{cause:#}; choose another address with --addr")
        }
    };
    let engine = context.engine().await?;
    let stop = asked_to_stop().context("cannot listen for signals")?;
    let url = format!("http://{}", listening.address());
    let asks = context.environment.server_token.is_some();
    let token = asks.then(|| token_for_shells(args.token_file.as_deref()));
    tell(&context.printer(), &url, token.as_deref())?;
    let capstan = Arc::clone(&engine.capstan);
    let stop = async {
        stop.await;
    };
    listening.serve(capstan, stop).await;
    engine.leave().await;
    Ok(Exit::Ok)
}

/// `token` is how a shell says it.
fn tell(printer: &Printer, url: &str, token: Option<&str>) -> anyhow::Result<()> {
    if printer.is_machine() {
        return printer.json(&json!({"url": url}));
    }
    printer.line(format_args!("serving at {NAME}{url}{NAME:#}"));
    let token = token.map(|token| format!(" -H \"Authorization: Bearer {token}\""));
    let token = token.unwrap_or_default();
    printer.line(format_args!("{DIM}in another terminal:{DIM:#}"));
    printer.line(format_args!("  curl{token} {url}/"));
    printer.line(format_args!("  curl{token} {url}/api/capabilities"));
    printer.line(format_args!("{DIM}stop it with Ctrl-C{DIM:#}"));
    Ok(())
}

/// Where a shell has the token from.
fn token_for_shells(file: Option<&Path>) -> String {
    match file {
        Some(file) => format!("$(cat {})", quoted(&file.display().to_string())),
        None => "$CAPSTAN_TOKEN".to_owned(),
    }
}

fn token(file: &Path) -> anyhow::Result<Secret> {
    let shown = file.display();
    let text = std::fs::read_to_string(file);
    let text = text.with_context(|| format!("cannot read the token in `{shown}`"))?;
    let token = Secret::new(text.trim());
    check(&token).with_context(|| format!("the token in `{shown}` is no good"))?;
    Ok(token)
}

/// What can be guessed is no token, and what cannot stand in a header can never be sent.
fn check(token: &Secret) -> anyhow::Result<()> {
    const SHORTEST: usize = 16;
    let token = token.expose();
    ensure!(
        token.bytes().all(|b| b.is_ascii_graphic()),
        "expected letters, digits and signs on one line, without spaces"
    );
    ensure!(
        token.len() >= SHORTEST,
        "expected at least {SHORTEST} characters"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shells_find_the_token_where_it_was_given() {
        for (file, shell) in [
            (None, "$CAPSTAN_TOKEN"),
            (Some("tok"), "$(cat tok)"),
            (Some("my token"), "$(cat 'my token')"),
        ] {
            assert_eq!(token_for_shells(file.map(Path::new)), shell);
        }
    }
}
