//! The skills that ship with the product run as they stand.

use std::path::Path;

use serde_json::json;

use super::world::rocket;
use crate::code::surface::{Surface as _, World};

fn shipped() -> World {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../skills");
    World::with(&["--demo", "--skills", folder.to_str().unwrap()])
}

#[test]
fn a_composition_by_names_alone() {
    let ran = shipped()
        .cli()
        .run("user-with-permissions", &json!({"user_id": "u-2"}));
    let expected = json!({
        "user": {"id": "u-2", "name": "Jonas Weber"},
        "permissions": ["read"],
    });
    assert_eq!(ran["data"], expected, "{ran}");
}

#[test]
fn a_workflow_with_a_branch() {
    let world = shipped();
    let quiet = world
        .cli()
        .run("pr-review-workflow", &rocket(json!({"pr_number": 27})));
    assert_eq!(quiet["ok"], true, "{quiet}");
    assert!(
        quiet["data"]["body"]
            .as_str()
            .unwrap()
            .starts_with("Security: "),
        "{quiet}"
    );
    assert_eq!(quiet["data"].get("id"), None, "{quiet}");
    let loud = rocket(json!({"pr_number": 27, "auto_post": true}));
    let loud = world.cli().run("pr-review-workflow", &loud);
    assert!(
        loud["data"]["url"]
            .as_str()
            .unwrap()
            .contains("issuecomment"),
        "{loud}"
    );
}

#[test]
fn a_brief() {
    let ran = shipped()
        .cli()
        .run("issue-brief", &rocket(json!({"issue_number": 1})));
    let brief = ran["data"]["brief"].as_str().unwrap_or_default();
    assert!(brief.starts_with("acme/rocket#1: Engine 3"), "{ran}");
    assert!(brief.contains("also open: #"), "{ran}");
}
