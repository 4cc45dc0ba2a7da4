//! Reads code that may be hostile.

use capstan_core::code::{ScriptError, ScriptErrorKind};

use crate::engine::{Channel, Received};
use crate::wire::{Order, ReadResult, Report};

/// Parsers recurse once per nesting level. This much is reserved, not used.
pub(crate) const READER_STACK_BYTES: usize = 512 << 20;

/// Reads sources until the channel is closed.
pub(crate) fn serve(channel: &mut dyn Channel) {
    while let Received::Frame(body) = channel.receive() {
        let Some(Order::Read(source)) = Order::parse(&body) else {
            return;
        };
        if !channel.send(Report::Read(Box::new(read(&source))).into_bytes()) {
            return;
        }
    }
}

fn read(source: &str) -> ReadResult {
    match capstan_script::read(source) {
        Ok(script) => ReadResult::Script {
            hash: script.hash.as_str().to_owned(),
            javascript: script.javascript,
            source_map: script.source_map,
            calls: serde_json::to_string(&script.calls).unwrap_or_default(),
            parameters: script.parameters.to_string(),
            mentions: serde_json::to_string(&script.mentions).unwrap_or_default(),
        },
        Err(ScriptError {
            kind,
            message,
            place,
            ..
        }) => ReadResult::Refused {
            unsupported: matches!(kind, ScriptErrorKind::Unsupported),
            limit: matches!(kind, ScriptErrorKind::Limit(_)),
            message,
            place,
        },
    }
}
