//! Compiles the mapping from an answer to the output.

use indexmap::IndexMap;
use serde_json::Value;

use capstan_core::card::{FieldMapping, Output, Warning};

use super::compiler::Compiler;
use crate::raw::RawOutput;

impl Compiler<'_> {
    pub(super) fn output(&mut self, pointer: &str, raw: &RawOutput) -> Output {
        let root = raw
            .root
            .as_ref()
            .and_then(|root| self.path(&format!("{pointer}/root"), root));
        let require = self.optional_expr(&format!("{pointer}/require"), raw.require.as_deref());
        let mut fields = IndexMap::new();
        for (name, value) in &raw.fields {
            if let Some(mapping) = self.mapping(&format!("{pointer}/fields/{name}"), value) {
                fields.insert(name.clone(), mapping);
            }
        }
        let mut warn = Vec::new();
        for (index, raw) in raw.warn.iter().enumerate() {
            let pointer = format!("{pointer}/warn/{index}");
            let when = self.expr(&format!("{pointer}/when"), &raw.when);
            let message = self.template(&format!("{pointer}/message"), &raw.message);
            if let (Some(when), Some(message)) = (when, message) {
                warn.push(Warning { when, message });
            }
        }
        Output {
            is_whole_answer: false,
            root,
            require,
            fields,
            warn,
        }
    }

    /// Reports that a route has no `output` and that it cannot be derived from the names of fields.
    pub(super) fn no_output(&mut self, pointer: &str, missing: &[String]) -> Output {
        let message = match missing {
            [] => {
                "there is no `output`, and `output_schema` has no fields to look for in the answer"
                    .to_owned()
            }
            missing => format!(
                "there is no `output`, and the answer has no fields named {}",
                missing.join(", ")
            ),
        };
        let help = "say in `output` where in the answer each field is";
        self.problem_with_help(pointer, message, help);
        Output {
            is_whole_answer: false,
            root: None,
            require: None,
            warn: Vec::new(),
            fields: IndexMap::new(),
        }
    }

    fn mapping(&mut self, pointer: &str, raw: &Value) -> Option<FieldMapping> {
        if let Value::String(text) = raw {
            return self.expr(pointer, text).map(FieldMapping::Value);
        }
        let nested = raw.get("fields").and_then(Value::as_object);
        let text = |key: &str| raw.get(key).and_then(Value::as_str);
        let (each, from) = (text("each"), text("from"));
        let is_one_of_three = each.is_none() || from.is_none();
        let keys = raw.as_object().map_or(0, serde_json::Map::len);
        let has_no_others = keys == 1 + usize::from(each.is_some() || from.is_some());
        let (Some(nested), true, true) = (nested, is_one_of_three, has_no_others) else {
            self.problem(
                pointer,
                "expected an expression, `{fields}`, `{from, fields}` or `{each, fields}`",
            );
            return None;
        };
        let mut fields = IndexMap::new();
        for (name, value) in nested {
            if let Some(mapping) = self.mapping(&format!("{pointer}/fields/{name}"), value) {
                fields.insert(name.clone(), mapping);
            }
        }
        match (each, from) {
            (Some(each), _) => Some(FieldMapping::Each {
                each: self.expr(&format!("{pointer}/each"), each)?,
                fields,
            }),
            (None, Some(from)) => Some(FieldMapping::ObjectFrom {
                from: self.expr(&format!("{pointer}/from"), from)?,
                fields,
            }),
            (None, None) => Some(FieldMapping::Object(fields)),
        }
    }
}
