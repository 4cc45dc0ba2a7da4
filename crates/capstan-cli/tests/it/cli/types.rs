//! `capstan types` and `explain --ts`: TypeScript that a strict compiler takes.

use std::path::Path;

use capstan_test_support::{everything_server, typescript_compiler};
use serde_json::json;

use super::harness::{Place, program};
use crate::code::surface::{Surface, World};

const SKILL: &str = "
id: triage.report
level: 3
description: Ends no comment */ and has \"quotes\"
composes: [{skill: issue.list, as: listed}]
outputs: {issues: $listed.output.issues}
input_schema:
  type: object
  properties: {owner: {type: string}, repo: {type: string}}
  required: [owner, repo]
";

/// With a skill, remembered code and a downstream server.
fn world() -> World {
    let script = everything_server();
    let node = program("node").expect("Node is installed");
    let place = Place::new();
    let servers = json!({"mcpServers": {"everything": {"command": node, "args": [script]}}});
    let servers = place.write("mcp.json", servers.to_string());
    let skills = place.write("skills.yaml", SKILL);
    let flags = [
        "--demo",
        "--mcp-servers",
        servers.to_str().unwrap(),
        "--skills",
        skills.to_str().unwrap(),
    ];
    let world = World::at(place, &flags);
    let mut cli = world.cli();
    let code = "const { owner, days = 30 } = args as { owner: string; days?: number }; return owner + days;";
    let ran = cli.exec("count the days", code, &json!({"owner": "acme"}));
    let naming = json!({"capability": ran["meta"]["capability_fqdn"], "name": "count-days"});
    assert_eq!(cli.run("cap.name", &naming)["ok"], true);
    world
}

/// What the compiler says; nothing if all is well.
fn compile(world: &World, code: &str) -> String {
    world
        .place
        .write("use.ts", format!("{code}\nexport {{}};\n"));
    let node = program("node").expect("Node is installed");
    let output = world
        .place
        .command(node.to_str().unwrap())
        .arg(typescript_compiler())
        .args([
            "--strict", "--noEmit", "--target", "es2022", "--module", "es2022",
        ])
        .args(["--lib", "es2022", "capstan.d.ts", "use.ts"])
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn declarations_of_everything_pass_a_strict_compiler() {
    let world = world();
    let printed = world.capstan_text(&["types"]);
    let written = world.capstan_text(&["types", "--out", "capstan.d.ts"]);
    assert_eq!(written, "", "the file is what was asked for");
    let file = world.place.here().join("capstan.d.ts");
    let text = std::fs::read_to_string(Path::new(&file)).unwrap();
    assert_eq!(printed.trim_end(), text.trim_end());

    let good = r#"
        const { issues, $meta } = await capstan.issue.list({ owner: "acme", repo: "rocket", state: "all" });
        const numbers: number[] = issues.map((issue) => issue.number);
        const cursor: string | undefined = $meta.pagination?.end_cursor;
        const o = { owner: "acme", repo: "rocket" };
        await capstan.issue.view({ ...o, issue_number: 1 }, { timeout_ms: 500 });
        const page = await capstan.issue.list(o, { signal: {} as AbortSignal });
        page.$meta.pagination?.end_cursor;
        await capstan.trace.list({}, { timeout_ms: 500 });
        for await (const issue of capstan.issue.list.all({ owner: "a", repo: "b" }, { limit: 5 })) {
          const title: string = issue.title;
        }
        const all = await capstan.issue.list.all({ owner: "a", repo: "b" });
        const truncated: boolean = all.$meta.truncated;
        const traces = await capstan.trace.list();
        await mcp.everything["get-sum"]({ a: 1, b: 2 });
        await caps["count-days"]({ owner: "acme" });
        const report = await caps.triage.report({ owner: "acme", repo: "rocket" });
        const days: number = args.days;"#;
    assert_eq!(compile(&world, good), "");
    for (bad, said) in [
        (
            "await capstan.issue.view({ owner: 'acme', repo: 'rocket' });",
            "issue_number",
        ),
        (
            "await capstan.issue.list({ owner: 'a', repo: 'b', state: 'opne' });",
            "opne",
        ),
        (
            "(await capstan.issue.list({ owner: 'a', repo: 'b' })).isues;",
            "isues",
        ),
        ("capstan.issue.view.all({});", "all"),
        (
            "await mcp.everything['get-sum']({ a: 'x', b: 2 });",
            "string",
        ),
        ("await caps['count-days']({});", "owner"),
        ("await capstan.isue.view({});", "isue"),
        ("await capstan.trace.list({}, { timeout: 5 });", "timeout"),
    ] {
        let told = compile(&world, bad);
        assert!(told.contains(said), "{bad}: {told}");
    }
}

#[test]
fn a_signature_is_explained_through_the_command_line_and_mcp() {
    let world = world();
    let list = world.capstan_text(&["explain", "--ts", "issue.list"]);
    assert!(
        list.starts_with("capstan.issue.list(input: { owner: string; repo: string;"),
        "{list}"
    );
    assert!(
        list.contains(
            "\ncapstan.issue.list.all(input, options?: { limit?: number }): AsyncIterable<{ number"
        ),
        "{list}"
    );
    let mut server = world.server();
    for (capability, begins) in [
        (
            "issue.view",
            "capstan.issue.view(input: { owner: string; repo: string; issue_number: number; comments?: boolean }, options?: { timeout_ms?: number; signal?: AbortSignal }): Promise<{",
        ),
        ("trace.list", "capstan.trace.list(input?: { "),
        (
            "everything.get-sum",
            "mcp.everything[\"get-sum\"](input: { a: number; b: number }, options?: { timeout_ms?: number; signal?: AbortSignal }): Promise<",
        ),
        (
            "count-days",
            "caps[\"count-days\"](args: { owner: string; days?: (number | null) }, options?: { timeout_ms?: number; signal?: AbortSignal }): Promise<any>",
        ),
        (
            "triage.report",
            "caps.triage.report(input: { owner: string; repo: string }, options?: { timeout_ms?: number; signal?: AbortSignal }): Promise<{",
        ),
    ] {
        let asked = json!({"capability": capability, "format": "ts"});
        let result = server.tool("explain", &asked);
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.starts_with(begins), "{text}");
        assert_eq!(result["structuredContent"]["typescript"], text);
    }
    let unknown = server.tool(
        "explain",
        &json!({"capability": "issue.veiw", "format": "ts"}),
    );
    assert_eq!(unknown["structuredContent"]["error"]["code"], "NOT_FOUND");
    let wrong = server.tool(
        "explain",
        &json!({"capability": "issue.view", "format": "rust"}),
    );
    assert_eq!(wrong["structuredContent"]["error"]["code"], "VALIDATION");
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    let place = Place::new();
    let ran = place.line("--demo types --out no/such/folder/capstan.d.ts");
    assert_ne!(ran.code, 0);
    assert!(
        ran.stderr.contains("no/such/folder/capstan.d.ts"),
        "{}",
        ran.stderr
    );
}
