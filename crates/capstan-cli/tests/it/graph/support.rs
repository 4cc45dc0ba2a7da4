//! Helpers for the tests of this folder.

use serde_json::{Value, json};

use crate::code::surface::{Surface, World};

/// Runs a check over the command line and over MCP, each in a world of its own.
pub(super) fn on_both_surfaces(check: impl Fn(&mut dyn Surface)) {
    let world = World::demo();
    check(&mut world.cli());
    let world = World::demo();
    check(&mut world.mcp());
}

/// Returns the data of an answer. Fails if the answer is not a success.
pub(super) fn ok(answer: &Value) -> &Value {
    assert_eq!(answer["ok"], true, "{answer}");
    &answer["data"]
}

/// Returns the relation between two capabilities, after the surface has learned from everything done before.
pub(super) fn relation(surface: &mut dyn Surface, from: &str, to: &str) -> Value {
    surface.restart();
    let shown = surface.run("dep.show", &json!({"from": from, "to": to}));
    ok(&shown).clone()
}

/// Runs code and names it. Returns its full name.
pub(super) fn exec_and_name(
    surface: &mut dyn Surface,
    name: &str,
    intent: &str,
    code: &str,
) -> String {
    let ran = surface.exec(intent, code, &json!({}));
    ok(&ran);
    let fqdn = ran["meta"]["capability_fqdn"].as_str().unwrap().to_owned();
    let input = json!({"capability": fqdn, "name": name});
    ok(&surface.run("cap.name", &input));
    fqdn
}
