//! What never began is no use of anything, and is told as what it is.

use serde_json::json;

use super::silence::{Silence, WAITS};
use super::surface::{Surface as _, World};

#[test]
fn a_run_that_found_no_place_is_not_counted() {
    let silence = Silence::with("[sandbox]\nconcurrency = 1\nruns = 1\n");
    silence.learn("waits", WAITS);
    silence.learn("one", "return 1");
    let mut server = silence.world.server();
    let wait = json!({"capability": "waits", "args": {"wait": true}});
    server.send("tools/call", &json!({"name": "execute", "arguments": wait}));
    let _asked = silence.is_asked();
    let options = json!({"timeout_ms": 300});
    for busy in [
        json!({"capability": "one", "options": options}),
        json!({"intent": "one", "code": "return 1", "options": options}),
    ] {
        let busy = server.execute(&busy);
        assert_eq!(busy["error"]["details"]["kind"], "busy", "{busy}");
        let message = busy["error"]["message"].as_str().unwrap();
        let (_, waited) = message.split_once("did not start within ").unwrap();
        let (waited, _) = waited.split_once(" ms").unwrap();
        // On a busy machine it may be told a little later.
        assert!(waited.parse::<u64>().unwrap() >= 300, "{message}");
    }
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    assert_eq!(silence.statistics("one")["usage_count"], 1);
}

#[test]
fn a_call_that_is_too_deep_is_not_counted() {
    let world = World::demo();
    let mut cli = world.cli();
    let code = "return args.deeper ? await caps.again(args) : 0";
    let ran = cli.exec("again", code, &json!({}));
    let fqdn = ran["meta"]["capability_fqdn"].clone();
    cli.run("cap.name", &json!({"capability": fqdn, "name": "again"}));
    let failed = cli.call("again", &json!({"deeper": true}));
    let message = failed["error"]["message"].as_str().unwrap();
    assert!(message.contains("more than 8 levels deep"), "{message}");
    let shown = cli.run("cap.show", &json!({"capability": "again"}));
    // The first run, and eight that began.
    assert_eq!(shown["data"]["statistics"]["usage_count"], 9, "{shown}");
}

#[test]
fn a_step_that_did_not_begin_in_time_is_no_matter_of_the_network() {
    let silence = Silence::with("");
    silence.learn("waits", WAITS);
    silence.learn("one", "return 1");
    let steps = json!([
        {"task": "waits", "input": {"wait": true}},
        {"task": "one", "input": {}},
    ]);
    let steps = json!({"steps": steps, "options": {"timeout_ms": 2000}});
    let file = silence.world.place.write("steps.json", steps.to_string());
    let ran = silence.world.capstan(&["chain", file.to_str().unwrap()]);
    let error = &ran["results"][1]["error"];
    assert_eq!(error["code"], "TIMEOUT", "{ran}");
    let message = error["message"].as_str().unwrap();
    assert!(!message.contains("request"), "{message}");
}
