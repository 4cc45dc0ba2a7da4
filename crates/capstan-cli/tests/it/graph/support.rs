//! What the tests of this folder share.

use serde_json::{Value, json};

use crate::code::surface::{Surface, World};

/// The same for both ways in, each in a world of its own.
pub(super) fn both(check: impl Fn(&mut dyn Surface)) {
    let world = World::demo();
    check(&mut world.cli());
    let world = World::demo();
    check(&mut world.mcp());
}

/// Returns the data of an answer that has to be a success.
pub(super) fn ok(answer: &Value) -> &Value {
    assert_eq!(answer["ok"], true, "{answer}");
    &answer["data"]
}

/// The relation between two, after everything that was done is learned from.
pub(super) fn relation(surface: &mut dyn Surface, from: &str, to: &str) -> Value {
    surface.restart();
    let shown = surface.run("dep.show", &json!({"from": from, "to": to}));
    ok(&shown).clone()
}

/// Runs code and names it.
pub(super) fn named(surface: &mut dyn Surface, name: &str, intent: &str, code: &str) -> String {
    let ran = surface.exec(intent, code, &json!({}));
    ok(&ran);
    let fqdn = ran["meta"]["capability_fqdn"].as_str().unwrap().to_owned();
    let input = json!({"capability": fqdn, "name": name});
    ok(&surface.run("cap.name", &input));
    fqdn
}
