//! Relations, learning, search and suggestion through the whole product, over MCP and on the command
//! line.

mod declared;
mod endpoint;
mod learning;
mod negation;
mod relations;
mod replay;
mod search;
mod suggestion;
mod terminal;
mod unread;

use serde_json::{Value, json};

use crate::code::surface::{Surface, World};

/// The same for both ways in, each in a world of its own.
fn both(check: impl Fn(&mut dyn Surface)) {
    let world = World::demo();
    check(&mut world.cli());
    let world = World::demo();
    check(&mut world.mcp());
}

fn ok(answer: &Value) -> &Value {
    assert_eq!(answer["ok"], true, "{answer}");
    &answer["data"]
}

/// The relation between two, after everything that was done is learned from.
fn relation(surface: &mut dyn Surface, from: &str, to: &str) -> Value {
    surface.restart();
    let shown = surface.run("dep.show", &json!({"from": from, "to": to}));
    ok(&shown).clone()
}

/// Runs code and names it.
fn named(surface: &mut dyn Surface, name: &str, intent: &str, code: &str) -> String {
    let ran = surface.exec(intent, code, &json!({}));
    ok(&ran);
    let fqdn = ran["meta"]["capability_fqdn"].as_str().unwrap().to_owned();
    let input = json!({"capability": fqdn, "name": name});
    ok(&surface.run("cap.name", &input));
    fqdn
}
