//! Tables of the pages are complete.

use capstan_core::ChainRequest;
use capstan_engine::ChunkLimits;
use github_sim::FaultKind;

use crate::support::workspace;

#[test]
fn the_page_about_the_simulator_has_every_fault() {
    let page = std::fs::read_to_string(workspace().join("docs/simulator.md")).unwrap();
    let (_, table) = page.split_once("| kind | fields |").unwrap();
    let rows = table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    let mut shown: Vec<_> = rows.filter_map(|row| row.split('`').nth(1)).collect();
    let unknown = serde_json::from_str::<FaultKind>(r#"{"kind": "none"}"#).unwrap_err();
    let unknown = unknown.to_string();
    let (_, known) = unknown.split_once("expected one of ").unwrap();
    let mut known: Vec<_> = known.split('`').skip(1).step_by(2).collect();
    shown.sort_unstable();
    known.sort_unstable();
    assert_eq!(shown, known);
}

#[test]
fn the_page_about_chains_has_the_limits_that_hold() {
    let page = std::fs::read_to_string(workspace().join("docs/chains.md")).unwrap();
    let limits = ChunkLimits::default();
    let grouped = |number: u64| format!("{},{:03}", number / 1000, number % 1000);
    for row in [
        format!("| steps in a call | {} |", ChainRequest::MOST_STEPS),
        format!("| GraphQL reads in a request | {} |", limits.reads),
        format!("| GraphQL writes in a request | {}, ", limits.writes),
        format!(
            "| nodes that a request may ask for | {}, ",
            grouped(limits.nodes)
        ),
        format!(
            "| document and variables of a request | {} KiB |",
            limits.bytes / 1024
        ),
    ] {
        assert!(page.contains(&row), "{row}");
    }
}
