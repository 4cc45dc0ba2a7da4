//! What is inferred of the parameters of code is a guess: no good call is refused for it, runs correct
//! it for good, and a mistake is still told.

use serde_json::{Value, json};

use super::surface::{Surface, World};

/// The same for both ways in, each in a world of its own.
fn both(check: impl Fn(&mut dyn Surface)) {
    let world = World::demo();
    check(&mut world.cli());
    let world = World::demo();
    check(&mut world.mcp());
}

/// Runs code and gives it a name.
fn register(surface: &mut dyn Surface, name: &str, code: &str, args: &Value) {
    let ran = surface.exec(name, code, args);
    assert_eq!(ran["ok"], true, "{ran}");
    let naming = json!({"capability": ran["meta"]["capability_fqdn"], "name": name});
    assert_eq!(surface.run("cap.name", &naming)["ok"], true);
}

fn parameters(surface: &mut dyn Surface, name: &str) -> Value {
    let shown = surface.run("cap.show", &json!({"capability": name}));
    shown["data"]["parameters"].clone()
}

#[test]
fn a_parameter_that_is_read_in_one_branch_only_is_not_required() {
    both(|surface| {
        let code = "if (args.mode === 'label') return args.label + '!'; return args.mode;";
        let args = json!({"mode": "label", "label": "bug"});
        register(surface, "branches", code, &args);
        let called = surface.call("branches", &json!({"mode": "plain"}));
        assert_eq!(called["data"], "plain", "{called}");
        let missing = surface.call("branches", &json!({"label": "bug"}));
        assert_eq!(missing["error"]["code"], "VALIDATION", "{missing}");
        assert_eq!(missing["error"]["details"]["fields"][0]["field"], "mode");
    });
}

#[test]
fn a_type_that_is_guessed_from_a_default_refuses_nothing_and_is_widened_by_a_good_run() {
    both(|surface| {
        let code = "const days = Number(args.days ?? 30); return days * 2;";
        register(surface, "days", code, &json!({}));
        assert_eq!(surface.call("days", &json!({}))["data"], 60);
        let called = surface.call("days", &json!({"days": "10"}));
        assert_eq!(called["data"], 20, "{called}");
        surface.restart();
        let known = parameters(surface, "days");
        let expected = json!({"type": ["number", "null", "string"], "default": 30});
        assert_eq!(known["properties"]["days"], expected);
    });
}

#[test]
fn a_guess_that_was_widened_still_refuses_nothing() {
    both(|surface| {
        let code = "const days = args.days ?? 30; return typeof days;";
        register(surface, "widened", code, &json!({}));
        for (days, expected) in [(json!([1]), "object"), (json!("x"), "string")] {
            let called = surface.call("widened", &json!({"days": days}));
            assert_eq!(called["data"], expected, "{called}");
        }
    });
}

#[test]
fn a_declared_type_is_checked_whether_there_is_a_default_or_not() {
    both(|surface| {
        let code = "const { n = 5 } = args as { n?: number }; return typeof n;";
        register(surface, "declared", code, &json!({}));
        assert_eq!(surface.call("declared", &json!({"n": 1}))["data"], "number");
        assert_eq!(surface.call("declared", &json!({}))["data"], "number");
        let refused = surface.call("declared", &json!({"n": "x"}));
        assert_eq!(refused["error"]["code"], "VALIDATION", "{refused}");
    });
}

#[test]
fn a_parameter_that_a_good_run_did_without_is_optional_from_then_on() {
    both(|surface| {
        let code = "return { label: args.label, n: args.n };";
        let args = json!({"label": "bug", "n": 1});
        register(surface, "pass-on", code, &args);
        let missing = surface.call("pass-on", &json!({"n": 2}));
        let message = missing["error"]["message"].as_str().unwrap();
        assert!(message.contains("`label` is missing"), "{message}");
        assert!(message.contains("give null"), "{message}");
        // By name, as the error says.
        let called = surface.call("pass-on", &json!({"label": null, "n": 2}));
        assert_eq!(called["ok"], true, "{called}");
        assert_eq!(surface.call("pass-on", &json!({"n": 3}))["data"]["n"], 3);
        // Or by running the same code again.
        assert_eq!(surface.exec("again", code, &json!({}))["ok"], true);
        surface.restart();
        assert_eq!(surface.call("pass-on", &json!({}))["ok"], true);
        assert_eq!(parameters(surface, "pass-on").get("required"), None);
    });
}

#[test]
fn a_misspelt_parameter_is_told() {
    both(|surface| {
        let code = "const { owner, days = 30 } = args; return `${owner} ${days}`;";
        register(surface, "spelling", code, &json!({"owner": "acme"}));
        let missing = surface.call("spelling", &json!({"ownr": "acme"}));
        assert_eq!(missing["error"]["code"], "VALIDATION", "{missing}");
        let message = missing["error"]["message"].as_str().unwrap();
        assert!(message.contains("did you mean `owner`?"), "{message}");
        let called = surface.call("spelling", &json!({"owner": "acme", "dayz": 3}));
        assert_eq!(called["data"], "acme 30", "{called}");
        let warnings = called["meta"]["warnings"].to_string();
        assert!(warnings.contains("did you mean `days`?"), "{called}");
    });
}

#[test]
fn what_code_declares_is_still_checked() {
    both(|surface| {
        let code = "const { names } = args as { names: string[] }; return names.join();";
        register(surface, "declared", code, &json!({"names": ["a"]}));
        let refused = surface.call("declared", &json!({"names": "a"}));
        assert_eq!(refused["error"]["code"], "VALIDATION", "{refused}");
    });
}

#[test]
fn a_word_on_the_command_line_is_read_like_the_default_of_its_parameter() {
    let world = World::demo();
    let mut cli = world.cli();
    let code = "return [args.version ?? '1.0', args.days ?? 30, args.free ?? null];";
    register(&mut cli, "words", code, &json!({}));
    let words = ["call", "words", "version=2", "days=10", "free=3"];
    assert_eq!(world.capstan(&words)["data"], json!(["2", 10, 3]));
    let words = ["call", "words", "days=soon"];
    assert_eq!(world.capstan(&words)["data"], json!(["1.0", "soon", null]));
}
