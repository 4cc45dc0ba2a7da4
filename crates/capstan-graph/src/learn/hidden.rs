//! What a trace does not tell: values that were not kept, and secrets.

use serde_json::Value;

/// As traces are written: what stands for a secret.
const MASK: &str = "[redacted]";

/// What stands for values that were too long, or too many.
const BYTES: &str = " bytes";
const LONG_ENOUGH: &str = "the trace is long enough";

pub(super) fn is_masked(text: &str) -> bool {
    text.contains(MASK)
}

/// Whether a value stands for one that was not kept.
pub(super) fn is_cut(value: &Value) -> bool {
    let only = value.as_object().filter(|fields| fields.len() == 1);
    let told = only.and_then(|fields| fields.get("cut")?.as_str());
    told.is_some_and(|told| told == LONG_ENOUGH || told.ends_with(BYTES))
}
