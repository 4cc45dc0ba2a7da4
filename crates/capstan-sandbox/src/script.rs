//! Reading code, and finding the way back from what is run to what was written.

use capstan_core::code::{CodeHash, Place, Script, ScriptError};

pub(crate) fn read(source: &str) -> Result<Script, ScriptError> {
    Ok(Script {
        hash: CodeHash::from_bytes([0; 32]),
        javascript: source.to_owned(),
        source_map: String::new(),
        calls: Vec::new(),
        parameters: serde_json::Value::Null,
    })
}

pub(crate) struct Places;
impl Places {
    pub(crate) fn parse(_: &str) -> Option<Self> {
        Some(Self)
    }
    pub(crate) fn original(&self, line: u32, column: u32) -> Option<Place> {
        Some(Place { line, column })
    }
}
