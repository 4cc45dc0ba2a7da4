//! Tests of edges and shared requests.

use capstan_skill::render::{edges, order, order_text};
use capstan_skill::{OperationClass, Runs};

use super::plans::{TRIAGE, all, plan};

#[test]
fn every_edge_goes_from_one_level_to_a_later_one() {
    for (name, plan) in all() {
        let levels = plan.levels();
        let level = |node: usize| {
            levels
                .iter()
                .position(|level| level.contains(&node))
                .unwrap()
        };
        for edge in edges(&plan) {
            assert!(level(edge.from) < level(edge.to), "{name}: {edge:?}");
        }
    }
}

#[test]
fn every_leaf_but_the_first_is_reached() {
    for (name, plan) in all() {
        let edges = edges(&plan);
        for level in plan.levels().iter().skip(1) {
            for leaf in level {
                assert!(edges.iter().any(|it| it.to == *leaf), "{name}: {leaf}");
            }
        }
    }
}

#[test]
fn values_are_followed_through_composites() {
    let plan = plan(TRIAGE);
    let node = |path: &str| plan.nodes.iter().position(|it| it.path == path).unwrap();
    let edges = edges(&plan);
    let fields = |from: &str, to: &str| {
        let (from, to) = (node(from), node(to));
        let edge = edges.iter().find(|it| it.from == from && it.to == to);
        edge.map(|it| it.fields.clone())
    };
    let tell = "tell-somebody-who-cares-about-issues-of-this-kind";
    assert_eq!(
        fields("read/issue.view", "judge-spam").unwrap(),
        ["author", "title"]
    );
    assert_eq!(
        fields("read/issue.comments", "judge-urgency").unwrap(),
        ["comments"]
    );
    // Out of one composite and into another.
    assert_eq!(
        fields("read/issue.view", &format!("{tell}/send")).unwrap(),
        ["title"]
    );
    // The condition of a composite is evaluated before its first step.
    assert_eq!(
        fields("decide", &format!("{tell}/who-cares")).unwrap(),
        ["if urgent"]
    );
    assert_eq!(fields("decide", "issue.close").unwrap(), ["if spam"]);
}

#[test]
fn reads_and_writes_never_share_a_request() {
    let plan = plan(TRIAGE);
    let levels = order(&plan, &|leaf| matches!(leaf.runs, Runs::Card(_)));
    for level in &levels {
        for request in &level.requests {
            let steps = level.steps.iter().filter(|it| request.contains(&it.step));
            let writes: Vec<bool> = steps
                .map(|it| it.operation == OperationClass::Write.as_str())
                .collect();
            assert!(
                writes.windows(2).all(|pair| pair[0] == pair[1]),
                "{level:?}"
            );
        }
    }
    assert_eq!(
        levels[0].requests,
        [["read/issue.view", "read/issue.comments"]]
    );
}

#[test]
fn every_leaf_is_shown_once_and_writes_come_last() {
    for (name, plan) in all() {
        let levels = order(&plan, &|_| true);
        let mut shown: Vec<_> = levels
            .iter()
            .flat_map(|it| &it.steps)
            .map(|it| it.step.clone())
            .collect();
        let mut leaves: Vec<_> = plan
            .leaves()
            .map(|(_, node, _)| node.path.clone())
            .collect();
        shown.sort();
        leaves.sort();
        assert_eq!(shown, leaves, "{name}");
        for level in &levels {
            let writes: Vec<bool> = level
                .steps
                .iter()
                .map(|it| it.operation == "WRITE")
                .collect();
            assert!(writes.is_sorted(), "{name}");
        }
    }
}

#[test]
fn a_wide_level_is_wrapped() {
    let parts: Vec<String> = (0..40)
        .map(|it| format!("part-with-a-long-name-{it}"))
        .collect();
    let mut text = format!("id: wide\nlevel: 2\ncomposes: [{}]\n", parts.join(", "));
    for part in &parts {
        text.push_str(&format!("---\nid: {part}\nlevel: 1\ncode: return 1\n"));
    }
    let plan = plan(&text);
    for fuses in [true, false] {
        let shown = order_text(&order(&plan, &|_| fuses));
        for line in shown.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
        for part in &parts {
            assert!(shown.contains(part.as_str()));
        }
    }
}
