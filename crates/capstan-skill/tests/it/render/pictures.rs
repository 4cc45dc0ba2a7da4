//! Snapshots of rendered plans.

use capstan_skill::render::{dot, mermaid, order, order_text, svg, text_tree};
use capstan_skill::{Leaf, Runs};

use super::plans::{TRIAGE, all, plan};

fn is_card(leaf: &Leaf) -> bool {
    matches!(leaf.runs, Runs::Card(_))
}

#[test]
fn trees() {
    for (name, plan) in all() {
        insta::assert_snapshot!(format!("tree_{name}"), text_tree(&plan));
    }
}

#[test]
fn orders() {
    for (name, plan) in all() {
        let levels = order(&plan, &is_card);
        insta::assert_snapshot!(format!("order_{name}"), order_text(&levels));
    }
}

#[test]
fn order_as_data() {
    insta::assert_json_snapshot!(order(&plan(TRIAGE), &is_card));
}

#[test]
fn graphviz() {
    for (name, plan) in all() {
        insta::assert_snapshot!(format!("dot_{name}"), dot(&plan));
    }
}

#[test]
fn mermaids() {
    for (name, plan) in all() {
        insta::assert_snapshot!(format!("mermaid_{name}"), mermaid(&plan));
    }
}

#[test]
fn drawings() {
    for (name, plan) in all() {
        insta::assert_snapshot!(format!("svg_{name}"), svg(&plan));
    }
}

/// Readers of a picture want to know when a step runs.
#[test]
fn conditions_are_shown_whole_where_there_is_room() {
    let conditions = "$input.kind == \"bug\" and $input.votes > 10 and not $input.is_closed";
    let text = format!(
        "id: vote\nlevel: 2\ncomposes: [act]\nexecution: [{{step: act, condition: '{conditions}'}}]\n---\n\
         id: act\nlevel: 1\ncode: return 1\n"
    );
    let plan = plan(&text);
    for (kind, shown) in [
        ("dot", dot(&plan)),
        ("mermaid", mermaid(&plan)),
        ("svg", svg(&plan)),
        ("tree", text_tree(&plan)),
    ] {
        assert!(!shown.contains('…'), "{kind}: {shown}");
        for word in ["$input.kind", "$input.votes", "$input.is_closed"] {
            assert!(shown.contains(word), "{kind}: {shown}");
        }
    }
    insta::assert_snapshot!(
        "long_condition",
        format!(
            "{}\n{}",
            text_tree(&plan),
            order_text(&order(&plan, &is_card))
        )
    );
}

#[test]
fn a_picture_is_the_same_every_time() {
    for ((_, once), (_, again)) in all().into_iter().zip(all()) {
        assert_eq!(text_tree(&once), text_tree(&again));
        assert_eq!(dot(&once), dot(&again));
        assert_eq!(mermaid(&once), mermaid(&again));
        assert_eq!(svg(&once), svg(&again));
    }
}
