//! The example code runs, and says what it promises.

use serde_json::json;

use super::surface::World;
use crate::support::workspace;

#[test]
fn the_examples_run() {
    let world = World::demo();
    let exec = |file: &str| {
        let file = workspace().join("examples/code").join(file);
        let ran = world.capstan(&["exec", file.to_str().unwrap(), "--intent", "an example"]);
        assert_eq!(ran["ok"], true, "{ran}");
        ran
    };
    let stale = exec("stale.ts");
    let rows = stale["data"].as_array().unwrap();
    let days: Vec<_> = rows
        .iter()
        .map(|row| row["days"].as_i64().unwrap())
        .collect();
    assert!(
        days.len() > 5 && days.is_sorted_by(|one, other| one >= other),
        "{days:?}"
    );
    let states = exec("merge-states.ts");
    let calls = &states["meta"]["calls"];
    let listed = json!({"capability": "pr.list", "count": 1});
    assert_eq!(calls[0], listed, "{states}");
    assert!(
        states["data"]
            .as_object()
            .is_some_and(|states| !states.is_empty())
    );
}

#[test]
fn every_example_is_tried() {
    let folder = std::fs::read_dir(workspace().join("examples/code")).unwrap();
    let mut files: Vec<_> = folder
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(files, ["merge-states.ts", "stale.ts"]);
}
