//! Who sees what: capabilities and traces of several people and projects in one store.

use serde_json::{Value, json};

use super::surface::{Surface, World};

/// The same store as somebody in a project of `acme` has it.
fn seen_by(world: &World, user: &str, project: &str) -> World {
    let text = format!("[scope]\norg = \"acme\"\nproject = \"{project}\"\nuser = \"{user}\"\n");
    let file = world.place.write(&format!("{user}-{project}.toml"), text);
    world.also(&["--config", file.to_str().unwrap()])
}

fn name(surface: &mut dyn Surface, capability: &str, name: &str) {
    let named = surface.run("cap.name", &json!({"capability": capability, "name": name}));
    assert_eq!(named["ok"], true, "{named}");
}

fn fqdn(ran: &Value) -> String {
    ran["meta"]["capability_fqdn"].as_str().unwrap().to_owned()
}

#[test]
fn visibility_decides_who_sees_and_calls() {
    let world = World::demo();
    let (ann, bob) = (
        seen_by(&world, "ann", "rocket"),
        seen_by(&world, "bob", "docs"),
    );
    let (mut ann, mut bob) = (ann.cli(), bob.cli());
    let fqdn = fqdn(&ann.exec("who am I", "return 'ann'", &json!({})));
    name(&mut ann, &fqdn, "who");
    assert!(fqdn.starts_with("acme.rocket.code."), "{fqdn}");
    for (visibility, seen) in [
        ("private", false),
        ("project", false),
        ("org", true),
        ("public", true),
    ] {
        let share = json!({"capability": "who", "visibility": visibility});
        assert_eq!(ann.run("cap.share", &share)["ok"], true);
        for name in ["who", fqdn.as_str()] {
            let called = bob.call(name, &json!({}));
            assert_eq!(called["ok"], seen, "{visibility}, {name}: {called}");
        }
        let listed = bob.run("cap.list", &json!({}));
        let rows = listed["data"]["capabilities"].as_array().unwrap();
        assert_eq!(rows.len(), usize::from(seen), "{visibility}: {listed}");
    }
    let stolen = bob.run("cap.rename", &json!({"capability": "who", "name": "mine"}));
    assert_eq!(stolen["error"]["code"], "POLICY", "{stolen}");
}

#[test]
fn who_writes_the_same_code_learns_nothing_of_the_other() {
    let world = World::demo();
    let ann = seen_by(&world, "ann", "rocket");
    let secret =
        "// for the layoffs of 2027\nif (args.no) throw new Error('no'); return args.q ?? 4";
    let same = "if (args.no) throw new Error('no'); return args.q ?? 4";
    let mut ann = ann.cli();
    let hers = fqdn(&ann.exec("count who has to leave", secret, &json!({})));
    name(&mut ann, &hers, "layoffs");

    for (user, project) in [("bob", "rocket"), ("ann", "docs"), ("eve", "web")] {
        let other = seen_by(&world, user, project);
        let mut other = other.cli();
        let failed = other.exec("try", same, &json!({"no": true}));
        assert_eq!(failed["ok"], false);
        assert_eq!(failed["meta"].get("capability_fqdn"), None, "{failed}");
        let imported = other.run(
            "cap.import",
            &json!({"capabilities": [{"name": "four", "intent": "four", "code": same}]}),
        );
        let row = &imported["data"]["capabilities"][0];
        assert_eq!(
            (&row["name"], &row["known"]),
            (&json!("four"), &json!(false)),
            "{imported}"
        );
        let ran = other.exec("say four", same, &json!({}));
        assert_eq!(ran["meta"]["capability_name"], "four", "{ran}");
        assert_ne!(fqdn(&ran), hers);
        let all = [
            other.run("cap.list", &json!({})),
            other.run("cap.show", &json!({"capability": "four"})),
            other.run("cap.export", &json!({})),
            other.run("trace.list", &json!({})),
        ];
        for shown in all {
            let shown = shown.to_string();
            assert!(
                !shown.contains("leave") && !shown.contains("layoffs"),
                "{shown}"
            );
        }
    }
    let shown = ann.run("cap.show", &json!({"capability": "layoffs"}));
    assert_eq!(shown["data"]["statistics"]["usage_count"], 1, "{shown}");
    assert_eq!(shown["data"]["visibility"], "private");
    assert_eq!(shown["data"]["code"], secret);
}

#[test]
fn what_the_project_has_is_counted_for_everybody_in_it() {
    let world = World::demo();
    let (ann, bob) = (
        seen_by(&world, "ann", "rocket"),
        seen_by(&world, "bob", "rocket"),
    );
    let (mut ann, mut bob) = (ann.cli(), bob.cli());
    let hers = fqdn(&ann.exec("four", "return 4", &json!({})));
    let share = json!({"capability": hers, "visibility": "project"});
    assert_eq!(ann.run("cap.share", &share)["ok"], true);
    assert_eq!(fqdn(&bob.exec("vier", "return 4", &json!({}))), hers);
    let shown = ann.run("cap.show", &json!({"capability": hers}));
    assert_eq!(shown["data"]["statistics"]["usage_count"], 2, "{shown}");
}

#[test]
fn traces_are_for_the_one_who_executed() {
    let world = World::demo();
    let (ann, bob) = (
        seen_by(&world, "ann", "rocket"),
        seen_by(&world, "bob", "rocket"),
    );
    let elsewhere = seen_by(&world, "ann", "docs");
    let (mut ann, mut bob, mut elsewhere) = (ann.cli(), bob.cli(), elsewhere.cli());
    ann.exec(
        "private matters",
        "console.log('hers'); return 1",
        &json!({}),
    );
    let traces =
        |surface: &mut dyn Surface| surface.run("trace.list", &json!({}))["data"]["traces"].clone();
    let all = traces(&mut ann);
    assert_eq!(all.as_array().unwrap().len(), 1, "{all}");
    let id = all[0]["id"].as_str().unwrap();
    let others: [&mut dyn Surface; 2] = [&mut bob, &mut elsewhere];
    for other in others {
        assert_eq!(traces(other), json!([]));
        for beginning in [id, &id[..5]] {
            let shown = other.run("trace.show", &json!({"id": beginning}));
            assert_eq!(shown["error"]["code"], "NOT_FOUND", "{shown}");
        }
        let pruned = other.run("trace.prune", &json!({"keep": 0}));
        assert_eq!(pruned["data"]["forgotten"], 0, "{pruned}");
    }
    assert_eq!(traces(&mut ann), all);
}

#[test]
fn what_is_of_another_project_is_found_by_its_full_name() {
    let world = World::demo();
    let (ann, bob) = (
        seen_by(&world, "ann", "rocket"),
        seen_by(&world, "bob", "docs"),
    );
    let found = || bob.capstan(&["search", "weigh the anchor", "--kind", "code"]);
    let (mut ann, mut bob) = (ann.cli(), bob.cli());
    let hers = fqdn(&ann.exec("weigh the anchor", "return 'ann'", &json!({})));
    name(&mut ann, &hers, "weigh");
    ann.run(
        "cap.share",
        &json!({"capability": "weigh", "visibility": "public"}),
    );
    let his = fqdn(&bob.exec("weigh the anchor", "return 'bob'", &json!({})));
    name(&mut bob, &his, "weigh");

    let found = found();
    let ids = found.as_array().unwrap().iter();
    let mut ids: Vec<_> = ids.map(|it| it["id"].as_str().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, [hers.as_str(), "weigh"], "{found}");
    assert_eq!(bob.call("weigh", &json!({}))["data"], "bob");
    assert_eq!(bob.call(&hers, &json!({}))["data"], "ann");
}

#[test]
fn explain_names_what_is_of_another_project_so_that_it_can_be_called() {
    let world = World::demo();
    let ann = seen_by(&world, "ann", "rocket");
    let bob = seen_by(&world, "bob", "docs");
    let mut here = ann.cli();
    let hers = fqdn(&here.exec("weigh", "return 'ann'", &json!({})));
    name(&mut here, &hers, "weigh");
    let share = json!({"capability": "weigh", "visibility": "public"});
    assert_eq!(here.run("cap.share", &share)["ok"], true);
    assert_eq!(ann.capstan(&["explain", &hers])["capability_id"], "weigh");
    assert_eq!(bob.capstan(&["explain", "weigh"])["capability_id"], hers);
}

#[test]
fn a_merge_takes_nothing_away_from_others() {
    let world = World::demo();
    let ann = seen_by(&world, "ann", "rocket");
    let mut ann = ann.cli();
    for (code, title) in [("return 1", "one"), ("return 2", "two")] {
        let fqdn = fqdn(&ann.exec(title, code, &json!({})));
        name(&mut ann, &fqdn, title);
    }
    let share = |name: &str| json!({"capability": name, "visibility": "org"});
    assert_eq!(ann.run("cap.share", &share("one"))["ok"], true);
    let merge = json!({"from": "one", "into": "two"});
    let refused = ann.run("cap.merge", &merge);
    assert_eq!(refused["error"]["code"], "POLICY", "{refused}");
    let mend = &refused["error"]["details"]["mend"]["arguments"];
    let mended = ann.run(mend["capability"].as_str().unwrap(), &mend["input"]);
    assert_eq!(mended["data"]["visibility"], "org", "{mended}");
    assert_eq!(ann.run("cap.merge", &merge)["ok"], true);
}

#[test]
fn only_its_owner_makes_a_capability_private() {
    let world = World::demo();
    let ann = seen_by(&world, "ann", "rocket");
    let bob = seen_by(&world, "bob", "rocket");
    let (mut ann, mut bob) = (ann.cli(), bob.cli());
    let hers = fqdn(&ann.exec("four", "return 4", &json!({})));
    let as_seen_by = |visibility: &str| json!({"capability": hers, "visibility": visibility});
    assert_eq!(ann.run("cap.share", &as_seen_by("org"))["ok"], true);
    let refused = bob.run("cap.share", &as_seen_by("private"));
    assert_eq!(refused["error"]["code"], "POLICY", "{refused}");
    assert_eq!(bob.run("cap.share", &as_seen_by("project"))["ok"], true);
    assert_eq!(ann.run("cap.share", &as_seen_by("private"))["ok"], true);
}
