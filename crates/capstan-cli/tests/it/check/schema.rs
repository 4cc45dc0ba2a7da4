//! The JSON Schema of skill files: printed, kept with the others, and right about the fixtures.

use crate::cli::harness::Place;
use crate::documentation::update;
use crate::support::workspace;

/// With `UPDATE_DOCS` set, the file is written anew instead.
#[test]
fn the_schema_that_is_kept_is_the_one_that_is_printed() {
    let ran = Place::new().line("check --schema");
    assert_eq!((ran.code, &*ran.stderr), (0, ""));
    assert_eq!(ran.json(), capstan_skill::file_schema());
    let file = workspace().join("schema/skill.schema.json");
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    if kept != ran.stdout && update() {
        std::fs::write(&file, &ran.stdout).unwrap();
        return;
    }
    assert_eq!(kept, ran.stdout, "UPDATE_DOCS=1 writes it");
}
