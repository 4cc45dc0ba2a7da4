//! The count is never much less than the depth of the syntax tree.

use oxc_allocator::Allocator;
use oxc_ast::AstKind;
use oxc_ast_visit::Visit;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::SourceType;

use super::check::find_too_deep;

/// The text before and after a nested part.
type Wrapper = (&'static str, &'static str);

const EXPRESSIONS: [Wrapper; 40] = [
    ("(", ")"),
    ("[", "]"),
    ("[1,", ",2]"),
    ("!", ""),
    ("-\n", ""),
    ("typeof\n", ""),
    ("await ", ""),
    ("a?b:", ""),
    ("a?", ":b"),
    ("x=>", ""),
    ("async()=>", ""),
    ("(x=", ")=>1"),
    ("a=", ""),
    ("a\n??=\n", ""),
    ("1+", ""),
    ("", "+1"),
    ("a&&", ""),
    ("a**", ""),
    ("", ".a"),
    ("", "\n.a"),
    ("", "()"),
    ("", "[0]"),
    ("", "``"),
    ("f(", ")"),
    ("f(1,", ")"),
    ("new ", "()"),
    ("new (", ")"),
    ("`${", "}`"),
    ("`a${1}b${", "}`"),
    ("({a:", "})"),
    ("({a:1,b:", "})"),
    ("class extends ", "{}"),
    ("(class extends ", "{})"),
    ("class{}/1/", ""),
    ("class{a=", "}"),
    ("1,", ""),
    ("<a>", ""),
    ("", " as a"),
    ("", " satisfies a<b,c>"),
    ("a<b>(", ")"),
];

const STATEMENTS: [Wrapper; 26] = [
    ("{", "}"),
    ("a;{", "}b"),
    ("{}{", "}"),
    ("if(1)", ""),
    ("if(1)\n", ""),
    ("if(1)a;else ", ""),
    ("if(1){}else ", ""),
    ("if(1){}\nelse\n", ""),
    ("if(1)a\nelse ", ""),
    ("for(;;)", ""),
    ("for(const a of b)\n", ""),
    ("for await(const a of b)", ""),
    ("while(1)", ""),
    ("do ", " while(1)"),
    ("do\n", "\nwhile(1)"),
    ("try{", "}catch{}"),
    ("try{}finally{", "}"),
    ("switch(1){case 1:", "}"),
    ("switch(1){default:a;break;case 2:", "}"),
    ("function f(){", "}"),
    ("namespace A{", "}"),
    ("class A{static{", "}}"),
    ("(()=>{", "})"),
    ("x=()=>{", "}"),
    ("(function(){a\n", "})()"),
    ("class A extends B<C,D>{a(){", "}}"),
];

const TYPES: [Wrapper; 16] = [
    ("A<", ">"),
    ("A<B,", ">"),
    ("(", ")"),
    ("{a:", "}"),
    ("{a:b;c:", "}"),
    ("{a:b\nc:", "}"),
    ("[", "]"),
    ("[a,", "]"),
    ("", "[]"),
    ("", "['a']"),
    ("keyof\n", ""),
    ("()=>", ""),
    ("(a:", ")=>b"),
    ("a extends b?c:", ""),
    ("a extends b?", ":c"),
    ("a|", ""),
];

/// Nests every two of them alternately, and in blocks.
fn check(kind: &[Wrapper], wrap: Wrapper, middle: &str) {
    const TIMES: usize = 40;
    let mut read = 0;
    for one in kind {
        for other in kind {
            for run in [1, TIMES / 2] {
                let around = |index: usize| {
                    if (index / run).is_multiple_of(2) {
                        one
                    } else {
                        other
                    }
                };
                let before: String = (0..TIMES).map(|index| around(index).0).collect();
                let after: String = (0..TIMES).rev().map(|index| around(index).1).collect();
                let code = [wrap.0, &before, middle, &after, wrap.1].concat();
                let Some(depth) = depth(&code) else {
                    continue;
                };
                read += 1;
                // One level of nesting is up to this many nested nodes, and every tree has some.
                let least = depth.saturating_sub(15) / 6;
                assert!(
                    least == 0 || find_too_deep(&code, least).is_some(),
                    "{depth} levels are counted as less than {least}: {code}"
                );
            }
        }
    }
    // Many of them do not fit into each other.
    assert!(read > kind.len() * kind.len() / 2, "{read}");
}

#[test]
fn expressions_are_counted() {
    check(&EXPRESSIONS, ("x = ", ""), "y");
}

#[test]
fn statements_are_counted() {
    check(&STATEMENTS, ("", ""), "a;");
    check(&STATEMENTS, ("a\n", ""), "!a");
}

#[test]
fn types_are_counted() {
    check(&TYPES, ("let x: ", " = 1"), "y");
}

/// Returns the depth of the syntax tree; `None` if the code has errors.
fn depth(code: &str) -> Option<usize> {
    let allocator = Allocator::default();
    let options = ParseOptions {
        allow_return_outside_function: true,
        preserve_parens: true,
        ..ParseOptions::default()
    };
    let parsed = Parser::new(&allocator, code, SourceType::ts().with_module(true))
        .with_options(options)
        .parse();
    if parsed.diagnostics.has_errors() {
        return None;
    }
    let mut depth = Depth::default();
    depth.visit_program(&parsed.program);
    Some(depth.deepest)
}

#[derive(Default)]
struct Depth {
    now: usize,
    deepest: usize,
}

impl<'a> Visit<'a> for Depth {
    fn enter_node(&mut self, _: AstKind<'a>) {
        self.now += 1;
        self.deepest = self.deepest.max(self.now);
    }

    fn leave_node(&mut self, _: AstKind<'a>) {
        self.now -= 1;
    }
}
