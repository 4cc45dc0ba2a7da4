//! Compiles the small texts in a card: ids, expressions, paths and templates.

use serde_json::Value;

use capstan_core::CapabilityId;
use capstan_core::expr::{Expr, ExprError, Path, Template, ValueTemplate};

use super::compiler::{Compiler, Problem};

impl Compiler<'_> {
    pub(super) fn id(&mut self, pointer: &str, text: &str) -> Option<CapabilityId> {
        CapabilityId::parse(text)
            .map_err(|error| self.problem(pointer, error.to_string()))
            .ok()
    }

    pub(super) fn expr(&mut self, pointer: &str, text: &str) -> Option<Expr> {
        Expr::parse(text)
            .map_err(|error| self.bad_expr(pointer, error))
            .ok()
    }

    pub(super) fn path(&mut self, pointer: &str, text: &str) -> Option<Path> {
        match self.expr(pointer, text)? {
            Expr::Path(path) => Some(path),
            _ => {
                self.problem(pointer, format!("`{text}` is not a path"));
                None
            }
        }
    }

    pub(super) fn template(&mut self, pointer: &str, text: &str) -> Option<Template> {
        Template::parse(text)
            .map_err(|error| self.bad_expr(pointer, error))
            .ok()
    }

    pub(super) fn optional_expr(&mut self, pointer: &str, text: Option<&str>) -> Option<Expr> {
        text.and_then(|text| self.expr(pointer, text))
    }

    pub(super) fn optional_template(
        &mut self,
        pointer: &str,
        text: Option<&str>,
    ) -> Option<Template> {
        text.and_then(|text| self.template(pointer, text))
    }

    pub(super) fn value_template(&mut self, pointer: &str, value: &Value) -> Option<ValueTemplate> {
        ValueTemplate::parse(value)
            .map_err(|(inner, error)| self.bad_expr(&format!("{pointer}{inner}"), error))
            .ok()
    }

    fn bad_expr(&mut self, pointer: &str, error: ExprError) {
        self.problems.push(Problem {
            pointer: pointer.to_owned(),
            offset: Some(error.offset),
            message: error.message,
            help: None,
        });
    }
}
