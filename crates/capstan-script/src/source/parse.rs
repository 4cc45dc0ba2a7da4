//! Parses TypeScript, and explains why a text cannot be parsed.

use capstan_core::code::{ScriptError, ScriptErrorKind};
use oxc_allocator::Allocator;
use oxc_ast::ast::{JSXElement, JSXFragment, Program};
use oxc_ast_visit::Visit;
use oxc_parser::{ParseOptions, Parser, ParserReturn};
use oxc_span::SourceType;

use super::Lines;
use super::first_error;

pub(crate) fn parse<'a>(
    allocator: &'a Allocator,
    source: &'a str,
    lines: &Lines<'_>,
) -> Result<Program<'a>, ScriptError> {
    // An empty template followed by two more is valid TypeScript, but nobody means that.
    if source.trim_start().starts_with(FENCE) {
        return Err(markdown_error(source, lines));
    }
    let parsed = parse_as(allocator, source, SourceType::ts().with_module(true));
    if let Some(error) = first_error(&parsed.diagnostics, lines) {
        if source.lines().any(|line| line.starts_with(FENCE)) {
            return Err(markdown_error(source, lines));
        }
        return Err(
            jsx_error(source, lines).unwrap_or_else(|| with_object_hint(error, source, lines))
        );
    }
    if parsed.panicked {
        let message = "the code cannot be read as TypeScript";
        return Err(ScriptError::new(ScriptErrorKind::Syntax, message));
    }
    Ok(parsed.program)
}

fn parse_as<'a>(
    allocator: &'a Allocator,
    source: &'a str,
    source_type: SourceType,
) -> ParserReturn<'a> {
    let options = ParseOptions {
        parse_regular_expression: true,
        allow_return_outside_function: true,
        preserve_parens: false,
        ..ParseOptions::default()
    };
    Parser::new(allocator, source, source_type)
        .with_options(options)
        .parse()
}

/// Surrounds code in Markdown.
const FENCE: &str = "```";

fn markdown_error(source: &str, lines: &Lines<'_>) -> ScriptError {
    let message = "the code is wrapped in Markdown: send only what is between the ``` lines";
    let place = source.find(FENCE).map(|at| lines.place(at));
    ScriptError::new(ScriptErrorKind::Syntax, message).at(place)
}

/// Adds a hint if `{ a: 1, b: 2 }` at the end was meant as an object: to a parser it is a block.
fn with_object_hint(mut error: ScriptError, source: &str, lines: &Lines<'_>) -> ScriptError {
    let Some(place) = error.place else {
        return error;
    };
    let trimmed = source.trim_end().trim_end_matches(';');
    let opening = trimmed.match_indices('{').rev().take(MAX_BRACES);
    let mut objects = opening.filter(|&(start, _)| {
        let before = trimmed[..start].trim_end();
        let opened = lines.place(start);
        let is_first = before.is_empty() || before.ends_with([';', '}', '\n', ')']);
        (is_first || trimmed[before.len()..start].contains('\n'))
            && (opened.line, opened.column) <= (place.line, place.column)
    });
    if objects.any(|(start, _)| is_expression(&format!("({})", &trimmed[start..]))) {
        error.message = format!(
            "{}; to return an object, write `({{ … }})` or `return {{ … }}`",
            error.message
        );
    }
    error
}

/// How many braces before the end are tried as the start of the object.
const MAX_BRACES: usize = 20;

fn is_expression(text: &str) -> bool {
    let allocator = Allocator::default();
    let source_type = SourceType::ts().with_module(true);
    Parser::new(&allocator, text, source_type)
        .parse_expression()
        .is_ok()
}

/// Returns an error about JSX if that is why the text is no TypeScript.
fn jsx_error(source: &str, lines: &Lines<'_>) -> Option<ScriptError> {
    if !source.contains("</") && !source.contains("/>") {
        return None;
    }
    let allocator = Allocator::default();
    let parsed = parse_as(&allocator, source, SourceType::tsx().with_module(true));
    if parsed.diagnostics.has_errors() {
        return None;
    }
    let mut first = FirstJsx(None);
    first.visit_program(&parsed.program);
    let message = "JSX cannot be run here: build strings or plain objects instead";
    let place = lines.place(first.0? as usize);
    Some(ScriptError::new(ScriptErrorKind::Unsupported, message).at(Some(place)))
}

struct FirstJsx(Option<u32>);

impl<'a> Visit<'a> for FirstJsx {
    fn visit_jsx_element(&mut self, it: &JSXElement<'a>) {
        self.0.get_or_insert(it.span.start);
    }

    fn visit_jsx_fragment(&mut self, it: &JSXFragment<'a>) {
        self.0.get_or_insert(it.span.start);
    }
}
