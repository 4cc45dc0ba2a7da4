//! Skills through the extension `io.modelcontextprotocol/skills` (SEP-2640).

use std::collections::BTreeSet;
use std::sync::Arc;

use capstan_core::card::Operation;
use capstan_engine::Services;
use capstan_skill::SkillFolders;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;
use tiktoken_rs::o200k_base_singleton;

use crate::client::{Client, initialize};
use crate::fake::{self, Step, TOKEN, issue};

const BRIEF: &str = "\
# What an issue is about.
id: issue-brief
version: 1.2.0
level: 2
description: 'An issue: its title and its \"state\"'
intents: [brief me on an issue]
composes: [issue.view]
input_schema:
  type: object
  properties:
    owner: {type: string}
    repo: {type: string}
    issue_number: {type: integer}
    note: {type: string}
  required: [owner, repo, issue_number]
output_schema: {type: object, properties: {title: {type: string}, state: {type: string}}, required: [title, state]}
";

/// A client of a server with skills, and the folder with the skill file.
struct SkillSession {
    client: Client,
    folder: TempDir,
}

impl SkillSession {
    fn new(skills: &str) -> Self {
        Self::with_steps([], skills)
    }

    fn with_steps(steps: impl IntoIterator<Item = Step>, skills: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("skills.yaml"), skills).unwrap();
        let services = Services {
            skills: Some(Arc::new(SkillFolders::new(vec![folder.path().to_owned()]))),
            ..Services::default()
        };
        let (capstan, _events) = fake::engine_with(steps, services);
        let client = Client::structured(capstan);
        Self { client, folder }
    }

    async fn list(&mut self) -> Vec<Value> {
        let list = self.client.result("skills/list", json!({})).await;
        list["skills"].as_array().unwrap().clone()
    }

    async fn get(&mut self, uri: &str) -> Value {
        let got = self.client.result("skills/get", json!({"uri": uri})).await;
        got["skill"].clone()
    }

    async fn read(&mut self, uri: &str) -> String {
        let read = self
            .client
            .result("resources/read", json!({"uri": uri}))
            .await;
        assert_eq!(read["contents"][0]["uri"], uri, "{read}");
        read["contents"][0]["text"].as_str().unwrap().to_owned()
    }

    async fn directory(&mut self, uri: &str) -> Vec<Value> {
        let params = json!({"uri": uri});
        let read = self.client.result("resources/directory/read", params).await;
        assert_eq!(read["resultType"], "complete");
        read["resources"].as_array().unwrap().clone()
    }
}

fn names(skills: &[Value]) -> Vec<&str> {
    let names = skills
        .iter()
        .map(|it| it["frontmatter"]["name"].as_str().unwrap());
    names.collect()
}

/// Returns a valid skill that runs one card.
fn simple_skill(id: &str, version: &str) -> String {
    format!("id: {id}\nversion: {version}\nlevel: 1\ndescription: {id}\ncard: repo.view\n---\n")
}

#[tokio::test]
async fn manifests_list_all_files_with_their_size_and_digest() {
    let mut session = SkillSession::new(BRIEF);
    let list = session.client.result("skills/list", json!({})).await;
    assert_eq!(list["resultType"], "complete");
    assert!(list["ttlMs"].as_u64().unwrap() > 0);
    assert_eq!(list["cacheScope"], "private");
    assert!(list.get("nextCursor").is_none());
    let skills = list["skills"].as_array().unwrap().clone();
    assert_eq!(names(&skills), ["capstan", "issue-brief"]);
    for skill in &skills {
        assert_eq!(session.get(skill["uri"].as_str().unwrap()).await, *skill);
        let keys: Vec<_> = skill.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["uri", "frontmatter", "resources"]);
        for file in skill["resources"].as_array().unwrap() {
            let text = session.read(file["uri"].as_str().unwrap()).await;
            assert_eq!(file["size"], text.len());
            let hash = Sha256::digest(text.as_bytes());
            let hex: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(file["digest"], format!("sha256:{hex}"));
        }
    }
    let brief = &skills[1];
    assert_eq!(brief["uri"], "skill://issue-brief/SKILL.md");
    assert_eq!(
        brief["frontmatter"],
        json!({
            "name": "issue-brief",
            "description": "An issue: its title and its \"state\". Use when asked to: brief me on an issue",
            "metadata": {"id": "issue-brief", "version": "1.2.0", "level": "2"}
        })
    );
    let resources = brief["resources"].as_array().unwrap().iter();
    let files: Vec<_> = resources.map(|it| it["uri"].as_str().unwrap()).collect();
    assert_eq!(
        files,
        [
            "skill://issue-brief/SKILL.md",
            "skill://issue-brief/skill.yaml"
        ]
    );
}

#[tokio::test]
async fn skill_md_costs_few_tokens_and_its_call_works() {
    let mut session = SkillSession::with_steps([Step::Answer(issue(1, "Leak"))], BRIEF);
    let text = session.read("skill://issue-brief/SKILL.md").await;
    assert_eq!(
        text,
        "---
name: \"issue-brief\"
description: \"An issue: its title and its \\\"state\\\". Use when asked to: brief me on an issue\"
metadata:
  id: \"issue-brief\"
  version: \"1.2.0\"
  level: \"2\"
---

An issue: its title and its \"state\"

Call `execute` once: `{\"capability\":\"issue-brief\",\"input\":{\"owner\":\"<owner>\",\"repo\":\"<repo>\",\"issue_number\":1}}`

- required: owner string, repo string, issue_number integer
- optional: note string
- output in `data`: title, state
- steps: issue.view
- writes: nothing
- definition: `skill.yaml`
"
    );
    let cost = o200k_base_singleton().encode_ordinary(&text).len();
    assert!(cost < 200, "{cost} tokens");
    let template = text.split('`').nth(3).unwrap();
    let filled = template
        .replace("<owner>", "acme")
        .replace("<repo>", "rocket");
    let arguments: Value = serde_json::from_str(&filled).unwrap();
    let call = json!({"name": "execute", "arguments": arguments});
    let ran = session.client.result("tools/call", call).await;
    assert_eq!(ran["structuredContent"]["data"]["title"], "Leak", "{ran}");
}

#[tokio::test]
async fn skill_yaml_has_only_the_document_of_the_skill() {
    let both = format!("{BRIEF}---\n{}", simple_skill("other", "1.0.0"));
    let mut session = SkillSession::new(&both);
    assert_eq!(session.read("skill://issue-brief/skill.yaml").await, BRIEF);
    let other = simple_skill("other", "1.0.0").replace("---\n", "");
    assert_eq!(session.read("skill://other/skill.yaml").await, other);
}

#[tokio::test]
async fn the_main_skill_is_served_like_other_skills() {
    let (capstan, _events) = fake::engine([]);
    let mut client = Client::structured(capstan);
    let list = client.result("skills/list", json!({})).await;
    let skills = list["skills"].as_array().unwrap();
    assert_eq!(names(skills), ["capstan"]);
    let read = client
        .result("resources/read", json!({"uri": "skill://capstan/SKILL.md"}))
        .await;
    let text = read["contents"][0]["text"].as_str().unwrap();
    assert!(
        text.ends_with(&format!("---\n\n{}\n", capstan_server::mcp::MAIN_SKILL)),
        "{text}"
    );
    assert_eq!(read["contents"][0]["mimeType"], "text/markdown");
}

#[tokio::test]
async fn the_newest_version_has_the_plain_name_and_each_version_has_a_uri() {
    let all: String = ["1.0.0", "2.0.0", "1.4.0"]
        .map(|it| simple_skill("say", it))
        .concat();
    let mut session = SkillSession::new(&all);
    assert_eq!(names(&session.list().await), ["capstan", "say"]);
    let newest = session.get("skill://say/SKILL.md").await;
    assert_eq!(newest["frontmatter"]["metadata"]["version"], "2.0.0");
    let text = session.read("skill://say/SKILL.md").await;
    assert!(text.contains("{\"capability\":\"say\","), "{text}");
    let older = "- older versions: 1.4.0, 1.0.0; each at skill://VERSION/say/SKILL.md\n";
    assert!(text.contains(older), "{text}");
    for version in ["1.0.0", "1.4.0", "2.0.0"] {
        let uri = format!("skill://{version}/say/SKILL.md");
        let skill = session.get(&uri).await;
        assert_eq!(skill["uri"], uri);
        assert_eq!(skill["frontmatter"]["name"], "say");
        assert_eq!(skill["frontmatter"]["metadata"]["version"], version);
        let text = session.read(&uri).await;
        let call = format!("{{\"capability\":\"say@{version}\",");
        assert!(text.contains(&call), "{text}");
        let yaml = session
            .read(&format!("skill://{version}/say/skill.yaml"))
            .await;
        assert!(yaml.contains(&format!("version: {version}\n")), "{yaml}");
    }
    for missing in [
        "skill://1.0.1/say/SKILL.md",
        "skill://1.0.0/capstan/SKILL.md",
    ] {
        let error = session
            .client
            .error("skills/get", json!({"uri": missing}))
            .await;
        assert_eq!(error["code"], -32602);
    }
}

#[tokio::test]
async fn names_are_valid_agent_skill_names_and_unique() {
    let ids = [
        "repo.brief",
        "repo-brief",
        "Team:Weekly_report",
        "capstan",
        "null",
        "x.y",
    ];
    let all: String = ids
        .map(|id| simple_skill(id, "1.0.0").replace(": null", ": 'null'"))
        .concat();
    let mut session = SkillSession::new(&all);
    let skills = session.list().await;
    let is_valid = |name: &str| {
        let is_allowed = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        name.bytes().all(is_allowed)
            && !name.contains("--")
            && !name.starts_with('-')
            && !name.ends_with('-')
    };
    let shown = names(&skills);
    assert!(
        shown.iter().all(|name| is_valid(name) && name.len() <= 64),
        "{shown:?}"
    );
    assert_eq!(shown.iter().collect::<BTreeSet<_>>().len(), ids.len() + 1);
    let by_id = |id: &str| {
        let mut all = skills.iter().map(|it| &it["frontmatter"]);
        all.find(|it| it["metadata"]["id"] == id).unwrap()["name"]
            .as_str()
            .unwrap()
    };
    assert_eq!(by_id("repo-brief"), "repo-brief");
    assert!(by_id("repo.brief").starts_with("repo-brief-"));
    assert_eq!(by_id("x.y"), "x-y");
    assert_eq!(by_id("Team:Weekly_report"), "team-weekly-report");
    assert!(by_id("capstan").starts_with("capstan-"));
}

#[tokio::test]
async fn a_skill_with_the_name_of_a_card_is_not_served() {
    let skills = format!(
        "{}{}",
        simple_skill("repo.view", "1.0.0"),
        simple_skill("fine", "1.0.0")
    );
    let mut session = SkillSession::new(&skills);
    assert_eq!(names(&session.list().await), ["capstan", "fine"]);
    let uri = "skill://repo-view/SKILL.md";
    for method in ["skills/get", "resources/read"] {
        let error = session.client.error(method, json!({"uri": uri})).await;
        assert_eq!(error["code"], -32602);
    }
    let arguments = json!({"capability": "repo.view@1.0.0", "input": {}});
    let call = json!({"name": "execute", "arguments": arguments});
    let ran = session.client.result("tools/call", call).await;
    let message = ran["structuredContent"]["error"]["message"].to_string();
    assert!(
        message.contains("error[E045]: `repo.view` is a card"),
        "{ran}"
    );
}

#[tokio::test]
async fn a_skill_with_errors_is_not_listed_and_its_errors_are_returned_on_request() {
    let unsound = "id: broken\nlevel: 2\ncomposes: [nobody-has-this]\n---\n";
    let mut session = SkillSession::new(&format!("{unsound}{}", simple_skill("fine", "1.0.0")));
    assert_eq!(names(&session.list().await), ["capstan", "fine"]);
    let resources = session.client.result("resources/list", json!({})).await;
    assert!(!resources.to_string().contains("broken"), "{resources}");
    let uri = "skill://broken/SKILL.md";
    for method in ["skills/get", "resources/read"] {
        let error = session.client.error(method, json!({"uri": uri})).await;
        assert_eq!(error["code"], -32602);
        let message = error["message"].as_str().unwrap();
        assert!(
            message.starts_with("`broken@1.0.0` has a mistake: "),
            "{message}"
        );
        assert!(message.contains("nobody-has-this"), "{message}");
        assert!(error["data"].to_string().contains("E004"), "{error}");
    }
}

#[tokio::test]
async fn skill_files_are_not_read_before_the_first_skill_request() {
    let mut session = SkillSession::new(BRIEF);
    session.client.ask(&initialize(1, "2025-11-25")).await;
    for method in [
        "server/discover",
        "tools/list",
        "prompts/list",
        "resources/templates/list",
    ] {
        session.client.result(method, json!({})).await;
    }
    // If the folder had been read before, this skill would be missing.
    let later = session.folder.path().join("later.yaml");
    std::fs::write(later, simple_skill("later", "1.0.0")).unwrap();
    assert_eq!(
        names(&session.list().await),
        ["capstan", "issue-brief", "later"]
    );
}

#[tokio::test]
async fn pages_contain_every_skill_once() {
    let ids: Vec<_> = (0..230).map(|n| format!("s{n:03}")).collect();
    let all: String = ids.iter().map(|id| simple_skill(id, "1.0.0")).collect();
    let mut session = SkillSession::new(&all);
    for (method, key) in [("skills/list", "skills"), ("resources/list", "resources")] {
        let (mut seen, mut cursor, mut pages) = (Vec::new(), None, 0);
        loop {
            let params = cursor.map_or(json!({}), |cursor: Value| json!({"cursor": cursor}));
            let page = session.client.result(method, params).await;
            let items = page[key].as_array().unwrap().iter();
            seen.extend(items.map(|it| it["uri"].as_str().unwrap().to_owned()));
            pages += 1;
            match page.get("nextCursor") {
                Some(next) => cursor = Some(next.clone()),
                None => break,
            }
        }
        assert_eq!(pages, 3, "{method}");
        let distinct: BTreeSet<_> = seen.iter().collect();
        assert_eq!(distinct.len(), seen.len(), "{method}");
        for id in &ids {
            assert!(
                distinct.contains(&format!("skill://{id}/SKILL.md")),
                "{method} {id}"
            );
        }
    }
    let params = json!({"cursor": "nobody's"});
    let error = session.client.error("skills/list", params).await;
    assert_eq!(error["code"], -32602);
    assert!(
        error["message"].as_str().unwrap().contains("cursor"),
        "{error}"
    );
}

#[tokio::test]
async fn directory_read_lists_folders() {
    let all = simple_skill("say", "1.0.0")
        + &simple_skill("say", "2.0.0")
        + &simple_skill("a.b", "1.0.0");
    let mut session = SkillSession::new(&all);
    let resources = session.directory("skill://say").await;
    let skill_md = session.read("skill://say/SKILL.md").await;
    let yaml = session.read("skill://say/skill.yaml").await;
    assert_eq!(
        resources,
        [
            json!({"uri": "skill://say/SKILL.md", "name": "say", "description": "say",
                "mimeType": "text/markdown", "size": skill_md.len()}),
            json!({"uri": "skill://say/skill.yaml", "name": "skill.yaml",
                "mimeType": "application/yaml", "size": yaml.len()}),
        ]
    );
    let old = session.directory("skill://1.0.0/say").await;
    assert_eq!(old[0]["uri"], "skill://1.0.0/say/SKILL.md");
    let folder = |name: &str| json!({"uri": format!("skill://1.0.0/{name}"), "name": name, "mimeType": "inode/directory"});
    assert_eq!(
        session.directory("skill://1.0.0").await,
        [folder("a-b"), folder("say")]
    );
    for (uri, expected) in [
        (
            "skill://say/SKILL.md",
            "is a file: its folder is `skill://say`",
        ),
        ("skill://say/", "no skill or file at"),
        ("skill://9.9.9", "no skill or file at"),
        ("skill://nobody", "no skill or file at"),
        ("skill://", "no skill or file at"),
    ] {
        let params = json!({"uri": uri});
        let error = session
            .client
            .error("resources/directory/read", params)
            .await;
        assert_eq!(error["code"], -32602, "{uri}");
        assert!(
            error["message"].as_str().unwrap().contains(expected),
            "{error}"
        );
    }
}

#[tokio::test]
async fn hostile_uris_are_not_found() {
    let mut session = SkillSession::new(BRIEF);
    let inside = session.folder.path().join("skills.yaml");
    let huge = format!("skill://{}/SKILL.md", "a".repeat(3_000_000));
    let absolute = format!("skill://{}", inside.display());
    let file = format!("file://{}", inside.display());
    for uri in [
        "skill://../../etc/passwd",
        "skill://issue-brief/../../etc/passwd",
        "skill://issue-brief/..",
        "skill://issue-brief/../issue-brief/SKILL.md",
        "skill://issue-brief/%2e%2e/SKILL.md",
        "skill://issue%2Dbrief/SKILL.md",
        "skill://issue-brief/SKILL%2Emd",
        "skill://issue-brief/skill.md",
        "skill://ISSUE-BRIEF/SKILL.md",
        "skill://issue-brief/SKILL.md?x=1",
        "skill://issue-brief/SKILL.md#x",
        "skill://issue-brief//SKILL.md",
        "skill://issue-brief/SKILL.md/",
        "skill://issue-brief\\SKILL.md",
        "skill://user@issue-brief/SKILL.md",
        "skill://issue-brief:80/SKILL.md",
        "skill://issue-brief/SKILL.md\u{0}",
        "skill://1.2.0/../SKILL.md",
        "skill://skills.yaml",
        "skill:issue-brief/SKILL.md",
        "SKILL://issue-brief/SKILL.md",
        "https://issue-brief/SKILL.md",
        "/etc/passwd",
        "",
        &huge,
        &absolute,
        &file,
    ] {
        for method in ["resources/read", "skills/get", "resources/directory/read"] {
            let error = session.client.error(method, json!({"uri": uri})).await;
            assert_eq!(error["code"], -32602, "{method} {error}");
            let message = error["message"].as_str().unwrap();
            assert!(
                message.starts_with("no skill or file at `"),
                "{method} {message}"
            );
            assert!(message.len() < 1000, "{}", message.len());
        }
    }
    let error = session
        .client
        .error("skills/get", json!({"uri": "skill://isue-brief/SKILL.md"}))
        .await;
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains("did you mean `skill://issue-brief/SKILL.md`?"),
        "{message}"
    );
}

#[tokio::test]
async fn secrets_in_skill_files_are_masked_before_digests_are_computed() {
    let skill = BRIEF.replace("An issue: its", &format!("An issue {TOKEN}: its"));
    let mut session = SkillSession::new(&skill);
    let entry = session.get("skill://issue-brief/SKILL.md").await;
    assert!(!entry.to_string().contains(TOKEN), "{entry}");
    for file in entry["resources"].as_array().unwrap() {
        let text = session.read(file["uri"].as_str().unwrap()).await;
        assert!(!text.contains(TOKEN), "{text}");
        assert_eq!(file["size"], text.len());
    }
}

#[tokio::test]
async fn clients_of_revision_2025_11_25_get_skills() {
    let mut session = SkillSession::new(BRIEF);
    session.client.ask(&initialize(1, "2025-11-25")).await;
    let request = |id: u64, method: &str, params: Value| json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
    let response = session
        .client
        .ask(&request(2, "resources/list", json!({})))
        .await;
    let list = &response["result"];
    assert_eq!(list["resources"][1]["uri"], "skill://issue-brief/SKILL.md");
    for later in ["resultType", "ttlMs", "cacheScope"] {
        assert!(list.get(later).is_none(), "{later}");
    }
    let uri = json!({"uri": "skill://issue-brief/SKILL.md"});
    let read = session
        .client
        .ask(&request(3, "resources/read", uri.clone()))
        .await;
    assert!(read["result"].get("ttlMs").is_none(), "{read}");
    let got = session.client.ask(&request(4, "skills/get", uri)).await;
    assert_eq!(got["result"]["skill"]["frontmatter"]["name"], "issue-brief");
    // This revision has another code for missing resources.
    let nobody = json!({"uri": "skill://nobody/SKILL.md"});
    let missing = session
        .client
        .ask(&request(5, "resources/read", nobody))
        .await;
    assert_eq!(missing["error"]["code"], -32002, "{missing}");
}

#[tokio::test]
async fn skill_md_shows_writes_conditions_and_deprecation() {
    let skill = "\
id: close-it
level: 3
composes: [{skill: issue.view, as: seen}, issue.close]
outputs: {title: $seen.output.title}
deprecated: {since: 1.0.0, sunset: 2099-01-31, use: other}
execution:
  - step: seen
  - step: issue.close
    condition: $input.really == true
input_schema:
  type: object
  properties:
    owner: {type: string}
    repo: {type: string}
    issue_number: {type: integer}
    really: {type: boolean}
    how: {enum: [gently, at once]}
  required: [owner, repo, issue_number, really, how]
output_schema: {type: object, properties: {title: {type: string}}, required: [title]}
";
    let mut session = SkillSession::new(skill);
    let text = session.read("skill://close-it/SKILL.md").await;
    assert!(
        text.contains("description: \"Runs seen, issue.close\"\n"),
        "{text}"
    );
    assert!(
        text.contains("\"really\":false,\"how\":\"gently\"}}`\n"),
        "{text}"
    );
    let steps = "- steps: seen (issue.view), then issue.close (writes) if $input.really == true\n";
    assert!(text.contains(steps), "{text}");
    assert!(!text.contains("- writes: nothing"), "{text}");
    assert!(
        text.contains("- deprecated: since 1.0.0, removed on 2099-01-31: use other\n"),
        "{text}"
    );
    let explained = session
        .client
        .result(
            "tools/call",
            json!({"name": "explain", "arguments": {"capability": "close-it"}}),
        )
        .await;
    let operation = &explained["structuredContent"]["operation"];
    assert_eq!(*operation, serde_json::to_value(Operation::Write).unwrap());
}
