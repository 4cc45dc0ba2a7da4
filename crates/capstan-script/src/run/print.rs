//! Prints the JavaScript and its source map.

use std::path::PathBuf;

use oxc_allocator::{Allocator, ArenaVec};
use oxc_ast::ast::{Directive, Program, StringLiteral};
use oxc_ast::builder::AstBuilder;
use oxc_codegen::{Codegen, CodegenOptions, CommentOptions};
use oxc_span::SPAN;

use super::mark::{mark_statements, unmark_statements};
use crate::source::Lines;
use crate::source_map::{self, Mapping};

pub(crate) struct PrintedCode {
    pub(crate) javascript: String,
    pub(crate) source_map: String,
}

pub(crate) fn print<'a>(
    program: &mut Program<'a>,
    allocator: &'a Allocator,
    lines: &Lines<'_>,
) -> PrintedCode {
    let source = program.source_text;
    program.directives = use_strict(allocator);
    mark_statements(program, allocator);
    let options = CodegenOptions {
        comments: CommentOptions::disabled(),
        source_map_path: Some(PathBuf::from("code.ts")),
        ..CodegenOptions::default()
    };
    let printed = Codegen::new().with_options(options).build(program);
    unmark_statements(program);
    program.directives = ArenaVec::new_in(&allocator);

    let source_lines = Lines::from_standard_text(source);
    let printed_standard_lines = Lines::from_standard_text(&printed.code);
    let printed_lines = Lines::from_text(&printed.code);
    let tokens = printed.map.iter().flat_map(|map| map.get_tokens());
    let mappings = tokens.map(|token| {
        let to = printed_standard_lines.offset(token.get_dst_line(), token.get_dst_col());
        let from = source_lines.offset(token.get_src_line(), token.get_src_col());
        let (line, column) = printed_lines.byte_place(to);
        Mapping::new(line, column, lines.place(from))
    });
    PrintedCode {
        source_map: source_map::write(mappings),
        javascript: printed.code,
    }
}

fn use_strict<'a>(allocator: &'a Allocator) -> ArenaVec<'a, Directive<'a>> {
    let builder = AstBuilder::new(allocator);
    let string = StringLiteral::new(SPAN, "use strict", None, &builder);
    let directive = Directive::new(SPAN, string, "use strict", &builder);
    ArenaVec::from_value_in(directive, &allocator)
}
