//! Has a worker read code, and validates its report.

use std::sync::Arc;
use std::time::Duration;

use capstan_core::code::{CallTarget, CodeHash, Script, ScriptError, ScriptErrorKind, Stopped};

use super::errors;
use super::link::LinkError;
use super::pool::WorkerPool;
use crate::wire::{Order, ReadResult, Report};

/// Reading takes microseconds; only hostile code takes this long.
const READ_TIMEOUT: Duration = Duration::from_secs(10);
/// The largest report. Code, its source map and its parameters are a few times as long as the
/// source.
const MAX_REPORT_BYTES: usize = 64 << 20;

pub(crate) async fn read(pool: &Arc<WorkerPool>, source: &str) -> Result<Script, ScriptError> {
    let mut link = pool
        .take()
        .await
        .map_err(|error| errors::not_started(&error))?;
    link.send(Order::Read(source.to_owned()));
    let report = async {
        loop {
            match link.receive(MAX_REPORT_BYTES).await {
                Ok(Report::Hello(layers)) => pool.record_layers(layers),
                Ok(Report::Read(read)) => return Ok(read),
                Ok(_) => return Err(LinkError::Malformed),
                Err(error) => return Err(error),
            }
        }
    };
    match tokio::time::timeout(READ_TIMEOUT, report).await {
        Ok(Ok(read)) => {
            let script = into_script(*read);
            pool.give_back(link);
            script
        }
        Ok(Err(LinkError::Closed)) => {
            let exit = link.wait_for_exit().await;
            pool.warm_up();
            // Deep nesting makes a reader run out of stack.
            if exit.is_some_and(|exit| exit.is_crash()) {
                Err(errors::limit(Stopped::Source, &Default::default()))
            } else {
                Err(errors::broken("the reader ended"))
            }
        }
        Ok(Err(LinkError::Malformed)) => {
            drop(link);
            pool.warm_up();
            Err(errors::broken("the reader sent something unexpected"))
        }
        Err(_) => {
            drop(link);
            pool.warm_up();
            Err(ScriptError::new(
                ScriptErrorKind::Limit(Stopped::Source),
                "the code takes too long to read; make it shorter",
            ))
        }
    }
}

fn into_script(read: ReadResult) -> Result<Script, ScriptError> {
    match read {
        ReadResult::Script {
            hash,
            javascript,
            source_map,
            calls,
            parameters,
            mentions,
        } => {
            let script = || -> Option<Script> {
                Some(Script {
                    hash: CodeHash::parse(&hash).ok()?,
                    javascript,
                    source_map,
                    calls: serde_json::from_str::<Vec<CallTarget>>(&calls).ok()?,
                    parameters: serde_json::from_str(&parameters).ok()?,
                    mentions: serde_json::from_str(&mentions).ok()?,
                })
            };
            script().ok_or_else(|| errors::broken("the reader sent something unexpected"))
        }
        ReadResult::Refused {
            unsupported,
            limit,
            message,
            place,
        } => {
            let kind = if limit {
                ScriptErrorKind::Limit(Stopped::Source)
            } else if unsupported {
                ScriptErrorKind::Unsupported
            } else {
                ScriptErrorKind::Syntax
            };
            Err(ScriptError::new(kind, message).at(place))
        }
    }
}
