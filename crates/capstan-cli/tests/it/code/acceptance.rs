//! What was promised of code, criterion by criterion, each over MCP and on the command line, and over
//! a restart.

use serde_json::{Value, json};

use super::surface::{Surface, World};

const COUNT: &str = "const { issues } = await capstan.issue.list({ owner: 'acme', repo: 'rocket' });\nissues.length";
const READER: &str = "const { path, encoding = 'utf-8' } = args; return { path, encoding };";

/// The same for both ways in, each in a world of its own.
fn both(check: impl Fn(&mut dyn Surface)) {
    let world = World::demo();
    check(&mut world.cli());
    let world = World::demo();
    check(&mut world.mcp());
}

fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    let found = value.pointer(pointer).and_then(Value::as_str);
    assert!(found.is_some(), "no text at {pointer}: {value}");
    found.unwrap()
}

fn show(surface: &mut dyn Surface, name: &str) -> Value {
    let shown = surface.run("cap.show", &json!({"capability": name}));
    assert_eq!(shown["ok"], true, "{shown}");
    shown["data"].clone()
}

/// AC1, AC3, AC4: a record with a generated FQDN, told in the answer, with a generated name.
#[test]
fn code_that_succeeds_is_registered_under_a_generated_name() {
    both(|surface| {
        let ran = surface.exec("count the issues", COUNT, &json!({}));
        assert_eq!(ran["ok"], true, "{ran}");
        assert_eq!(ran["meta"]["mode"], "direct");
        let fqdn = text(&ran, "/meta/capability_fqdn").to_owned();
        let name = text(&ran, "/meta/capability_name").to_owned();
        let parts: Vec<_> = fqdn.split('.').collect();
        let [org, project, namespace, action, hash] = parts[..] else {
            unreachable!("five parts: {fqdn}")
        };
        assert_eq!((org, project, namespace), ("local", "default", "issue"));
        let digits = action.strip_prefix("exec_").unwrap();
        assert_eq!(digits.len(), 8);
        assert_eq!(hash, &digits[..4]);
        assert_eq!(name, format!("unnamed_{digits}"));
        assert_eq!(text(&ran, "/meta/capability_id"), action);
        assert_eq!(
            ran["meta"]["calls"],
            json!([{"capability": "issue.list", "count": 1}])
        );

        surface.restart();
        let kept = show(surface, &fqdn);
        assert_eq!(kept["name"], name.as_str());
        assert_eq!(kept["code"], COUNT);
        assert_eq!(kept["intent"], "count the issues");
        assert!(text(&kept, "/hash").starts_with(digits));
        assert_eq!(kept["calls"], json!(["issue.list"]));
    });
}

/// AC2: the same code is the same capability, however it is written, and is counted.
#[test]
fn the_same_code_is_one_capability() {
    both(|surface| {
        let first = surface.exec("count", COUNT, &json!({}));
        surface.restart();
        let again = "/* the same */ const {issues}: any = await capstan.issue.list({owner:\"acme\",repo:\"rocket\"}); issues.length;";
        let second = surface.exec("count once more", again, &json!({}));
        assert_eq!(
            first["meta"]["capability_fqdn"],
            second["meta"]["capability_fqdn"]
        );
        let listed = surface.run("cap.list", &json!({}));
        let rows = listed["data"]["capabilities"].as_array().unwrap();
        assert_eq!(rows.len(), 1, "{listed}");
        assert_eq!((&rows[0]["uses"], &rows[0]["ok"]), (&json!(2), &json!(2)));
        // What was written first stays.
        assert_eq!(rows[0]["intent"], "count");
        let other = format!("{COUNT} + 1");
        let other = surface.exec("count", &other, &json!({}));
        assert_eq!(other["ok"], true, "{other}");
        assert_ne!(
            first["meta"]["capability_fqdn"],
            other["meta"]["capability_fqdn"]
        );
    });
}

/// AC6, AC7, AC8: called by its name, with given arguments over defaults.
#[test]
fn a_named_capability_runs_with_its_arguments_merged() {
    both(|surface| {
        let given = json!({"path": "a.json"});
        let ran = surface.exec("read a configuration", READER, &given);
        assert_eq!(ran["data"], json!({"path": "a.json", "encoding": "utf-8"}));
        let generated = text(&ran, "/meta/capability_name").to_owned();
        let named = surface.run(
            "cap.name",
            &json!({"capability": generated, "name": "my-config-reader"}),
        );
        assert_eq!(named["data"]["name"], "my-config-reader", "{named}");

        surface.restart();
        let called = surface.call("my-config-reader", &json!({"path": "config.json"}));
        assert_eq!(
            called["data"],
            json!({"path": "config.json", "encoding": "utf-8"}),
            "{called}"
        );
        assert_eq!(called["meta"]["mode"], "by_name");
        assert_eq!(called["meta"]["capability_name"], "my-config-reader");
        assert_eq!(
            called["meta"]["capability_fqdn"],
            ran["meta"]["capability_fqdn"]
        );
        assert!(called["meta"]["timings"]["total_ms"].is_u64());

        // Given wins, null is a value, and what nobody asked for is passed on.
        let called = surface.call(
            "my-config-reader",
            &json!({"path": "x", "encoding": "latin1"}),
        );
        assert_eq!(called["data"]["encoding"], "latin1");
        let called = surface.call("my-config-reader", &json!({"path": "x", "encoding": null}));
        assert_eq!(called["data"]["encoding"], Value::Null, "{called}");
        let called = surface.call("my-config-reader", &json!({"path": "x", "other": [1]}));
        assert_eq!(called["ok"], true, "{called}");

        let refused = surface.call("my-config-reader", &json!({}));
        assert_eq!(refused["error"]["code"], "VALIDATION", "{refused}");
        assert!(text(&refused, "/error/message").contains("`path` is missing"));
    });
}

/// AC7: every way to say which one.
#[test]
fn a_name_resolves_however_it_is_said() {
    both(|surface| {
        let ran = surface.exec("read", READER, &json!({"path": "a"}));
        let fqdn = text(&ran, "/meta/capability_fqdn").to_owned();
        let generated = text(&ran, "/meta/capability_name").to_owned();
        surface.run("cap.name", &json!({"capability": fqdn, "name": "reader"}));
        surface.restart();
        let (four, _) = fqdn.rsplit_once('.').unwrap();
        let id = text(&ran, "/meta/capability_id");
        for (name, via) in [
            ("reader", "name"),
            (fqdn.as_str(), "fqdn"),
            (four, "fqdn"),
            (id, "id"),
            (generated.as_str(), "alias"),
        ] {
            let found = surface.run("cap.lookup", &json!({"name": name}));
            assert_eq!(found["data"]["fqdn"], fqdn.as_str(), "{name}: {found}");
            assert_eq!(found["data"]["via"], via, "{name}");
            let called = surface.call(name, &json!({"path": "b"}));
            assert_eq!(called["data"]["path"], "b", "{name}: {called}");
            let warned = format!(
                "[WARN] Deprecated: Using alias \"{name}\" for capability \"reader\". Update your code."
            );
            let warnings = match via {
                "alias" => json!([warned]),
                _ => Value::Null,
            };
            assert_eq!(called["meta"]["warnings"], warnings, "{name}");
        }
    });
}

/// AC9.
#[test]
fn a_name_that_nobody_has_is_not_found() {
    both(|surface| {
        let called = surface.call("non-existent", &json!({}));
        assert_eq!(called["ok"], false);
        assert_eq!(called["error"]["code"], "NOT_FOUND");
        assert_eq!(
            called["error"]["message"],
            "Capability not found: non-existent"
        );
    });
}

/// AC10: both outcomes are counted, and a first run that fails leaves nothing behind.
#[test]
fn uses_and_successes_are_counted() {
    both(|surface| {
        let fragile = "if (args.fail) throw new Error('as asked'); return 1;";
        let failed = surface.exec("fail", fragile, &json!({"fail": true}));
        assert_eq!(failed["ok"], false);
        let none = surface.run("cap.list", &json!({}));
        assert_eq!(none["data"]["capabilities"], json!([]));

        let ran = surface.exec("fail when asked", fragile, &json!({}));
        let name = text(&ran, "/meta/capability_name").to_owned();
        surface.call(&name, &json!({}));
        let failed = surface.call(&name, &json!({"fail": true}));
        assert_eq!(failed["ok"], false, "{failed}");
        assert_eq!(failed["error"]["details"]["line"], 1, "{failed}");
        // The same code that came with the call and fails counts too.
        let failed = surface.exec("fail", fragile, &json!({"fail": true}));
        assert_eq!(failed["meta"]["capability_name"], name.as_str());
        surface.restart();
        let statistics = &show(surface, &name)["statistics"];
        assert_eq!(statistics["usage_count"], 4, "{statistics}");
        assert_eq!(statistics["success_count"], 2);
        assert!(statistics["mean_latency_ms"].as_f64().unwrap() > 0.0);
        assert!(statistics["last_used_at"].is_string());
    });
}
