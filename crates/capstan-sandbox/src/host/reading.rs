//! Has code read by a worker, and judges what it says.

use std::sync::Arc;
use std::time::Duration;

use capstan_core::code::{CallTarget, CodeHash, Script, ScriptError, ScriptErrorKind, Stopped};

use super::errors;
use super::link::Lost;
use super::pool::Pool;
use crate::wire::{Order, Read, Report};

/// Reading takes microseconds; whatever takes this long is meant to.
const LONGEST: Duration = Duration::from_secs(10);
/// Code, its map and its parameters are a few times as long as the source.
const LARGEST: usize = 64 << 20;

pub(crate) async fn read(pool: &Arc<Pool>, source: &str) -> Result<Script, ScriptError> {
    let mut link = pool
        .take()
        .await
        .map_err(|error| errors::not_started(&error))?;
    link.send(Order::Read(source.to_owned()));
    let said = async {
        loop {
            match link.receive(LARGEST).await {
                Ok(Report::Hello(layers)) => pool.reported(layers),
                Ok(Report::Read(read)) => return Ok(read),
                Ok(_) => return Err(Lost::Nonsense),
                Err(lost) => return Err(lost),
            }
        }
    };
    match tokio::time::timeout(LONGEST, said).await {
        Ok(Ok(read)) => {
            let script = judge(*read);
            pool.give_back(link);
            script
        }
        Ok(Err(Lost::Closed)) => {
            let death = link.death().await;
            pool.warm();
            // Deep nesting is what ends a reader: it runs out of stack.
            if death.is_some_and(|death| death.by_crash()) {
                Err(errors::limit(Stopped::Source, &Default::default()))
            } else {
                Err(errors::broken("the reader ended"))
            }
        }
        Ok(Err(Lost::Nonsense)) => {
            drop(link);
            pool.warm();
            Err(errors::broken("the reader said something unexpected"))
        }
        Err(_) => {
            drop(link);
            pool.warm();
            Err(ScriptError::new(
                ScriptErrorKind::Limit(Stopped::Source),
                "the code takes too long to read; make it shorter",
            ))
        }
    }
}

fn judge(read: Read) -> Result<Script, ScriptError> {
    match read {
        Read::Script {
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
            script().ok_or_else(|| errors::broken("the reader said something unexpected"))
        }
        Read::Refused {
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
