//! `capstan serve`: serves relations, the graph and search over HTTP.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, bail, ensure};
use capstan_core::Secret;
use capstan_server::http::{AccessOptions, ListenError, listen};
use serde_json::json;

use super::Context;
use crate::args::ServeArgs;
use crate::exit::Exit;
use crate::interrupt::first_signal;
use crate::output::{DIM, NAME, Printer, shell_quoted};

/// Serves until a signal. In-flight responses then finish; a second signal aborts them.
pub(crate) async fn run(context: &Context, args: &ServeArgs) -> anyhow::Result<Exit> {
    let mut environment = context.environment.clone();
    if let Some(file) = &args.token_file {
        environment.server_token = Some(read_token(file)?);
    } else if let Some(token) = &environment.server_token {
        check_token(token).context("CAPSTAN_TOKEN is not a valid token")?;
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
            bail!("{cause}: use --token-file, or set CAPSTAN_TOKEN")
        }
        Err(cause) => {
            let cause = anyhow::Error::new(cause);
            bail!("{cause:#}; choose another address with --addr")
        }
    };
    let engine = context.engine().await?;
    let signal = first_signal().context("cannot listen for signals")?;
    let url = format!("http://{}", listening.address());
    let needs_token = context.environment.server_token.is_some();
    let token = needs_token.then(|| shell_expression(args.token_file.as_deref()));
    print_address(&context.printer(), &url, token.as_deref())?;
    let capstan = Arc::clone(&engine.capstan);
    let stop = async {
        signal.await;
    };
    listening.serve(capstan, stop).await;
    engine.shut_down().await;
    Ok(Exit::Ok)
}

/// Prints the address and examples. `token` is the shell expression that yields the token.
fn print_address(printer: &Printer, url: &str, token: Option<&str>) -> anyhow::Result<()> {
    if printer.is_for_programs() {
        return printer.json(&json!({"url": url}));
    }
    printer.line(format_args!("serving at {NAME}{url}{NAME:#}"));
    let header = token
        .map(|token| format!(" -H \"Authorization: Bearer {token}\""))
        .unwrap_or_default();
    printer.line(format_args!("{DIM}in another terminal:{DIM:#}"));
    printer.line(format_args!("  curl{header} {url}/"));
    printer.line(format_args!("  curl{header} {url}/api/capabilities"));
    printer.line(format_args!("{DIM}stop it with Ctrl-C{DIM:#}"));
    Ok(())
}

/// Returns the shell expression that yields the token.
fn shell_expression(file: Option<&Path>) -> String {
    match file {
        Some(file) => format!("$(cat {})", shell_quoted(&file.display().to_string())),
        None => "$CAPSTAN_TOKEN".to_owned(),
    }
}

/// Reads and checks the token in a file. White space around it is ignored.
fn read_token(file: &Path) -> anyhow::Result<Secret> {
    let shown = file.display();
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("cannot read the token file `{shown}`"))?;
    let token = Secret::new(text.trim());
    check_token(&token).with_context(|| format!("the token in `{shown}` is not valid"))?;
    Ok(token)
}

/// Checks that a token can be sent in a header, and is too long to be guessed.
fn check_token(token: &Secret) -> anyhow::Result<()> {
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
            assert_eq!(shell_expression(file.map(Path::new)), shell);
        }
    }
}
