//! Skills as clients of MCP get them (the extension `io.modelcontextprotocol/skills`): over our own wire,
//! and by a client that is not ours.

use std::path::{Path, PathBuf};

use capstan_test_support::skills_client;
use serde_json::{Value, json};

use crate::cli::harness::{CAPSTAN, Place};
use crate::code::surface::{Server, Surface as _, World};

fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../skills")
}

fn ask(server: &mut Server, method: &str, params: &Value) -> Value {
    let id = server.send(method, params);
    let answer = server.receive().unwrap();
    assert_eq!(answer["id"], id);
    assert!(answer.get("error").is_none(), "{answer}");
    answer["result"].clone()
}

#[test]
fn the_shipped_skills_are_listed_and_run_as_their_skill_md_says() {
    let folder = shipped();
    let world = World::with(&["--demo", "--skills", folder.to_str().unwrap()]);
    let mut server = world.server();
    let list = ask(&mut server, "skills/list", &json!({}));
    let skills = list["skills"].as_array().unwrap();
    let names = skills
        .iter()
        .map(|it| it["frontmatter"]["name"].as_str().unwrap());
    let names: Vec<_> = names.collect();
    for name in [
        "capstan",
        "issue-brief",
        "pr-review-workflow",
        "user-with-permissions",
    ] {
        assert!(names.contains(&name), "{names:?}");
    }
    let uri = "skill://user-with-permissions/SKILL.md";
    let read = ask(&mut server, "resources/read", &json!({"uri": uri}));
    let text = read["contents"][0]["text"].as_str().unwrap();
    let call = text.split('`').nth(3).unwrap().replace("<user_id>", "u-2");
    let ran = server.execute(&serde_json::from_str(&call).unwrap());
    assert_eq!(ran["data"]["user"]["name"], "Jonas Weber", "{ran}");
    server.end();
}

#[test]
fn a_skill_that_is_made_of_what_is_private_to_another_is_not_served() {
    let place = Place::new();
    let skill = "id: summary\nlevel: 2\ndescription: Sums up\ncomposes: [layoffs]\n";
    let file = place.write("skills.yaml", skill);
    let world = World::at(place, &["--demo", "--skills", file.to_str().unwrap()]);
    let seen_by = |user: &str| {
        let text = format!("[scope]\norg = \"acme\"\nproject = \"rocket\"\nuser = \"{user}\"\n");
        let file = world.place.write(&format!("{user}.toml"), text);
        world.also(&["--config", file.to_str().unwrap()])
    };
    let (ann, bob) = (seen_by("ann"), seen_by("bob"));
    let code = "return {leaving: args.department ?? 'nobody'}";
    let ran = ann.cli().exec(
        "count who has to leave",
        code,
        &json!({"department": "ops"}),
    );
    let fqdn = ran["meta"]["capability_fqdn"].clone();
    let name = json!({"capability": fqdn, "name": "layoffs"});
    assert_eq!(ann.cli().run("cap.name", &name)["ok"], true);
    let share = json!({"capability": "layoffs", "visibility": "private"});
    assert_eq!(ann.cli().run("cap.share", &share)["ok"], true);

    let mut hers = ann.server();
    let list = ask(&mut hers, "skills/list", &json!({})).to_string();
    assert!(list.contains("skill://summary/SKILL.md"), "{list}");
    hers.end();
    let mut his = bob.server();
    let list = ask(&mut his, "skills/list", &json!({})).to_string();
    assert!(!list.contains("summary"), "{list}");
    his.send("skills/get", &json!({"uri": "skill://summary/SKILL.md"}));
    let error = his.receive().unwrap()["error"].clone();
    assert_eq!(error["code"], -32602, "{error}");
    // What his own file says comes back, and nothing of her code.
    let said = error.to_string();
    assert!(said.contains("E004") && said.contains("layoffs"), "{said}");
    for hers in ["department", "leaving", "has to leave"] {
        assert!(!said.contains(hers), "{said}");
    }
    his.end();
}

#[test]
fn a_client_that_is_not_ours_reads_and_verifies_them() {
    let place = Place::new();
    // Names and texts that are hard to write down.
    let hard = place.write(
        "hard.yaml",
        "id: 'null'\nlevel: 1\ncard: repo.view\ndescription: \"a: 'b' # --- \\\"c\\\" \\\\ \\u2028 \\u0085 \\x07 \\uFEFF é 🚀\"\n\
         ---\nid: Repo.View_it:now\nlevel: 1\nversion: 1.0.0-rc.1+5\ncard: repo.view\nintents: ['---', 'yes']\n\
         ---\nid: repo-view-it-now\nlevel: 1\ncard: repo.view\n\
         ---\nid: capstan\nlevel: 1\ncard: repo.view\n\
         ---\nid: unsound\nlevel: 2\ncomposes: [nobody]\n",
    );
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/skills/client.py");
    let output = place
        .command(skills_client().to_str().unwrap())
        .arg(script)
        .args([CAPSTAN, "--demo", "--skills", shipped().to_str().unwrap()])
        .args(["--skills", hard.to_str().unwrap(), "mcp"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let skills: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    let id = |it: &Value| {
        it["frontmatter"]["metadata"]["id"]
            .as_str()
            .map(str::to_owned)
    };
    let ids: Vec<_> = skills.iter().filter_map(id).collect();
    for known in [
        "issue-brief",
        "null",
        "Repo.View_it:now",
        "repo-view-it-now",
        "capstan",
    ] {
        assert!(ids.iter().any(|id| id == known), "{known}: {ids:?}");
    }
    assert!(!ids.iter().any(|id| id == "unsound"), "{ids:?}");
}
