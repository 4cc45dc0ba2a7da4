//! Writes selections as text, with a hole for every name that a batch may have to change.

use std::fmt::Display;

use apollo_compiler::Node;
use apollo_compiler::ast::{
    Argument, Directive, Field, InlineFragment, Selection, Value, VariableDefinition,
};

use crate::error::MergeError;
use crate::operation::Scope;
use crate::template::{Hole, Template};

/// The level of selections.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Level {
    /// Directly in the operation, also through fragments: the batch chooses the keys of fields.
    Root,
    /// Inside a field: keys stay as they are.
    Nested,
}

/// Writes text with holes.
#[derive(Debug)]
pub(crate) struct Writer<'s, 'd> {
    out: Template,
    scope: &'s mut Scope<'d>,
}

impl<'s, 'd> Writer<'s, 'd> {
    pub(crate) fn new(scope: &'s mut Scope<'d>) -> Self {
        Self {
            out: Template::default(),
            scope,
        }
    }

    pub(crate) fn finish(self) -> Template {
        self.out
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.out.push(text);
    }

    /// Writes `$name: Type = default @directive`.
    pub(crate) fn variable(
        &mut self,
        index: usize,
        variable: &'d VariableDefinition,
    ) -> Result<(), MergeError> {
        self.text("$");
        self.out.push_hole(Hole::Variable(index));
        self.text(": ");
        self.display(&variable.ty);
        if let Some(default) = &variable.default_value {
            self.text(" = ");
            self.value(default)?;
        }
        self.directives(&variable.directives)
    }

    /// Writes `a b { c }`.
    pub(crate) fn selections(
        &mut self,
        selections: &'d [Selection],
        level: Level,
    ) -> Result<(), MergeError> {
        for (index, selection) in selections.iter().enumerate() {
            if index > 0 {
                self.text(" ");
            }
            match selection {
                Selection::Field(field) => self.field(field, level)?,
                Selection::InlineFragment(inline) => self.inline_fragment(inline, level)?,
                Selection::FragmentSpread(spread) => {
                    let fragment = self.scope.fragment(&spread.fragment_name, level);
                    self.text("...");
                    self.out.push_hole(Hole::Fragment(fragment));
                    self.directives(&spread.directives)?;
                }
            }
        }
        Ok(())
    }

    /// Writes ` @include(if: $x)`.
    pub(crate) fn directives(
        &mut self,
        directives: &'d [Node<Directive>],
    ) -> Result<(), MergeError> {
        for directive in directives {
            self.text(" @");
            self.text(&directive.name);
            self.arguments(&directive.arguments)?;
        }
        Ok(())
    }

    fn field(&mut self, field: &'d Field, level: Level) -> Result<(), MergeError> {
        match level {
            Level::Root => {
                let key = self.scope.key(field.response_name());
                self.out.push_hole(Hole::Key(key));
                self.text(": ");
            }
            Level::Nested => {
                if let Some(alias) = &field.alias {
                    self.text(alias);
                    self.text(": ");
                }
            }
        }
        self.text(&field.name);
        self.arguments(&field.arguments)?;
        self.directives(&field.directives)?;
        if !field.selection_set.is_empty() {
            self.text(" { ");
            self.selections(&field.selection_set, Level::Nested)?;
            self.text(" }");
        }
        Ok(())
    }

    fn inline_fragment(
        &mut self,
        inline: &'d InlineFragment,
        level: Level,
    ) -> Result<(), MergeError> {
        self.text("...");
        if let Some(on) = &inline.type_condition {
            self.text(" on ");
            self.text(on);
        }
        self.directives(&inline.directives)?;
        self.text(" { ");
        self.selections(&inline.selection_set, level)?;
        self.text(" }");
        Ok(())
    }

    fn arguments(&mut self, arguments: &'d [Node<Argument>]) -> Result<(), MergeError> {
        if arguments.is_empty() {
            return Ok(());
        }
        self.text("(");
        for (index, argument) in arguments.iter().enumerate() {
            if index > 0 {
                self.text(", ");
            }
            self.text(&argument.name);
            self.text(": ");
            self.value(&argument.value)?;
        }
        self.text(")");
        Ok(())
    }

    fn value(&mut self, value: &'d Value) -> Result<(), MergeError> {
        match value {
            Value::Variable(name) => {
                let variable = self.scope.variable(name)?;
                self.text("$");
                self.out.push_hole(Hole::Variable(variable));
            }
            Value::List(items) => {
                self.text("[");
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        self.text(", ");
                    }
                    self.value(item)?;
                }
                self.text("]");
            }
            Value::Object(fields) => {
                self.text("{");
                for (index, (name, value)) in fields.iter().enumerate() {
                    if index > 0 {
                        self.text(", ");
                    }
                    self.text(name);
                    self.text(": ");
                    self.value(value)?;
                }
                self.text("}");
            }
            Value::Enum(name) => self.text(name),
            Value::Boolean(true) => self.text("true"),
            Value::Boolean(false) => self.text("false"),
            Value::Null => self.text("null"),
            Value::Int(number) => self.text(number.as_str()),
            Value::Float(number) => self.text(number.as_str()),
            Value::String(_) => self.display(value.serialize().no_indent()),
        }
        Ok(())
    }

    fn display(&mut self, what: impl Display) {
        self.out.push(&what.to_string());
    }
}
