//! Tests with hostile names, descriptions and conditions.

use capstan_core::expr::Expr;
use capstan_skill::render::{dot, mermaid, order, order_text, svg, text_tree};
use capstan_skill::{NodeKind, Plan};
use proptest::prelude::*;

use super::plans::{REVIEW, TRIAGE, plan};
use super::well_formed::{assert_dot, assert_lines, assert_mermaid, assert_svg};

const HOSTILE: [&str; 8] = [
    r#"" onload="alert(1)"#,
    "</text><script>alert(1)</script>",
    "a & b < c > d ' e",
    "]] --> \" | end\nsubgraph x",
    "\\\" \\n \\",
    "\u{1b}[31mred\u{7} \u{202e}drow",
    "#quot; &lt; `code` **bold** %%{init}%%",
    "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字",
];

/// Puts a text everywhere in a plan where foreign text can be.
fn spoiled(mut plan: Plan, text: &str) -> Plan {
    plan.description = text.to_owned();
    let literal = serde_json::Value::from(text);
    let condition = Expr::parse(&format!("$input.repo == {literal}")).unwrap();
    for node in &mut plan.nodes {
        node.condition = Some(condition.clone());
        if let NodeKind::Run(leaf) = &mut node.kind {
            leaf.runs = capstan_skill::Runs::Tool(text.to_owned());
        }
    }
    plan
}

fn assert_all(plan: &Plan) {
    assert_svg(&svg(plan));
    assert_dot(&dot(plan));
    assert_mermaid(&mermaid(plan));
    assert_lines(&text_tree(plan));
    for fuses in [true, false] {
        assert_lines(&order_text(&order(plan, &|_| fuses)));
    }
}

#[test]
fn nothing_gets_out_of_its_place() {
    for text in HOSTILE {
        for plan in [plan(TRIAGE), plan(REVIEW)] {
            assert_all(&spoiled(plan, text));
        }
    }
}

#[test]
fn names_of_any_form_stay_in_their_place() {
    for text in HOSTILE {
        let mut plan = plan(TRIAGE);
        for node in &mut plan.nodes {
            node.name = format!("{text}{}", node.name);
            node.path = format!("{text}{}", node.path);
        }
        for scope in &mut plan.scopes {
            scope.skill = text.to_owned();
        }
        assert_all(&plan);
    }
}

#[test]
fn what_is_escaped_is_read_as_it_was() {
    let text = "a & b < c > d ' e \" f";
    let drawing = svg(&spoiled(plan(REVIEW), text));
    let document = roxmltree::Document::parse(&drawing).unwrap();
    let described = document
        .descendants()
        .find(|it| it.has_tag_name("desc"))
        .unwrap();
    assert_eq!(described.text(), Some(text));
}

#[test]
fn a_skill_that_is_made_of_nothing_else_can_be_drawn() {
    assert_all(&plan("id: alone\nlevel: 1\ncode: return 1\n"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_text_stays_in_its_place(text in "\\PC{0,40}|[\\x00-\\x7f]{0,40}|.{0,40}") {
        assert_all(&spoiled(plan(TRIAGE), &text));
    }
}
