//! A server that is killed loses nothing that it acknowledged, and keeps nothing twice.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::surface::World;

const RUNS: usize = 1000;
/// Every code comes this often.
const TIMES: usize = 4;

#[test]
fn what_was_acknowledged_survives_a_kill() {
    let world = World::demo();
    let mut server = world.server();
    let mut sent: HashMap<u64, usize> = HashMap::new();
    for run in 0..RUNS {
        let code = run % (RUNS / TIMES);
        let arguments = json!({"intent": format!("give {code}"), "code": format!("return {code}")});
        let call = json!({"name": "execute", "arguments": arguments});
        sent.insert(server.send("tools/call", &call), code);
    }
    let mut acknowledged: HashMap<usize, (String, u64)> = HashMap::new();
    let mut answers = 0;
    while let Some(answer) = server.receive() {
        note(&answer, &sent, &mut acknowledged);
        answers += 1;
        if answers == RUNS / 3 {
            server.child.kill().unwrap();
        }
    }
    server.child.wait().unwrap();
    assert!((RUNS / 3..RUNS).contains(&answers), "{answers} answers");

    let mut server = world.server();
    let mut listed: HashMap<String, u64> = HashMap::new();
    loop {
        let input = json!({"limit": 1000, "offset": listed.len()});
        let page = server.execute(&json!({"capability": "cap.list", "input": input}));
        let rows = page["data"]["capabilities"].as_array().unwrap().clone();
        for row in &rows {
            let fqdn = row["fqdn"].as_str().unwrap().to_owned();
            let twice = listed.insert(fqdn, row["uses"].as_u64().unwrap());
            assert_eq!(twice, None, "{row}");
            assert_eq!(row["uses"], row["ok"]);
        }
        if page["data"].get("next_offset").is_none() {
            break;
        }
    }
    assert!(listed.len() <= RUNS / TIMES);
    for (fqdn, uses) in acknowledged.values() {
        let kept = listed.get(fqdn).copied().unwrap_or(0);
        assert!(
            kept >= *uses && kept <= TIMES as u64,
            "{fqdn}: {uses} uses were acknowledged, {kept} are kept"
        );
    }
    server.end();
}

fn note(
    answer: &Value,
    sent: &HashMap<u64, usize>,
    acknowledged: &mut HashMap<usize, (String, u64)>,
) {
    let code = sent[&answer["id"].as_u64().unwrap()];
    let envelope = &answer["result"]["structuredContent"];
    assert_eq!(envelope["data"], code, "{answer}");
    let fqdn = envelope["meta"]["capability_fqdn"].as_str().unwrap();
    let known = acknowledged
        .entry(code)
        .or_insert_with(|| (fqdn.to_owned(), 0));
    assert_eq!(known.0, fqdn);
    known.1 += 1;
}
