//! Reads `inputs`, `outputs` and conditions: values in which texts may be expressions.

use capstan_catalog::yaml::{Entry, Node, Tree};
use capstan_core::Span;
use capstan_core::expr::{Expr, ExprError};

use super::fields::{Notes, key};
use crate::codes::{EXPRESSION, MALFORMED};
use crate::skill::Condition;
use crate::{Given, Placed};

pub(super) fn all(entries: &[Entry], notes: &mut Notes) -> Vec<(Placed<String>, Placed<Given>)> {
    let one = |entry: &Entry| {
        let value = given(&entry.value, notes)?;
        let span = entry.value.span;
        Some((key(entry), Placed { value, span }))
    };
    entries.iter().filter_map(one).collect()
}

pub(super) fn condition(node: &Node, notes: &mut Notes) -> Option<Condition> {
    let text = match &node.tree {
        Tree::Text(text) => text.clone(),
        Tree::Bool(flag) => flag.to_string(),
        _ => {
            notes.expected(
                "condition",
                "an expression, such as $input.ready == true",
                node,
            );
            return None;
        }
    };
    let expr = Expr::parse(&text).map_err(|error| malformed(&text, &error, node.span, notes));
    expr.ok().map(|expr| Condition {
        text,
        expr,
        span: node.span,
    })
}

fn given(node: &Node, notes: &mut Notes) -> Option<Given> {
    match &node.tree {
        Tree::Text(text) => match Given::parse(text) {
            Ok(given) => Some(given),
            Err(error) => {
                malformed(text, &error, node.span, notes);
                None
            }
        },
        Tree::List(items) => {
            let items: Vec<_> = items.iter().map(|item| given(item, notes)).collect();
            let items: Option<Vec<_>> = items.into_iter().collect();
            items.map(|items| match literals(&items) {
                Some(values) => Given::Literal(values.into()),
                None => Given::List(items),
            })
        }
        Tree::Map(entries) => {
            let fields: Vec<_> = entries
                .iter()
                .map(|entry| Some((entry.key.clone(), given(&entry.value, notes)?)))
                .collect();
            let fields: Option<Vec<_>> = fields.into_iter().collect();
            fields.map(Given::Object)
        }
        Tree::Null | Tree::Bool(_) | Tree::Number(_) => Some(Given::Literal(node.to_json())),
    }
}

fn literals(items: &[Given]) -> Option<Vec<serde_json::Value>> {
    let literal = |item: &Given| match item {
        Given::Literal(value) => Some(value.clone()),
        _ => None,
    };
    items.iter().map(literal).collect()
}

/// Reports a malformed expression at its place within the text, if the text is written literally.
fn malformed(written: &str, error: &ExprError, span: Span, notes: &mut Notes) {
    let text = &notes.source.text[span.start..span.end];
    let quoted = usize::from(text.starts_with(['"', '\'']));
    let start = (span.start + quoted + error.offset).min(span.end.saturating_sub(1));
    let start = notes.source.text.floor_char_boundary(start).max(span.start);
    let place = Span {
        start,
        end: span.end.max(start + 1),
    };
    let code = if text.is_empty() {
        MALFORMED
    } else {
        EXPRESSION
    };
    notes.error(
        code,
        place,
        format!("malformed expression: {}", error.message),
    );
    let rest = written.get(error.offset..).unwrap_or_default();
    if let Some(help) = meant(written, rest) {
        notes.help(help);
    }
}

/// Explains syntax of other languages.
fn meant(written: &str, rest: &str) -> Option<&'static str> {
    let braces = written.contains("{{") || written.contains("${");
    let before = |sign: &str| rest.starts_with(sign);
    Some(match () {
        () if braces => "write expressions without braces: `$input.name`, `$step.output.field`",
        () if before("==") => return None,
        () if before("=") => "write `==` to compare",
        () if before("&") => "write `and`",
        () if before("||") || before("| |") => "write `or`",
        () if before("!=") => return None,
        () if before("!") => "write `not`",
        () if before("?") => {
            "leave the `?` out: a missing field has no value, as in `$step.output.a.b`"
        }
        () => return None,
    })
}
