//! Code and lists that come in pages, and code that only prints, through the whole product.

use serde_json::{Value, json};

use super::surface::{Surface, World};

const REPO: &str = "owner: 'acme', repo: 'rocket', state: 'all'";

fn both(check: impl Fn(&mut dyn Surface)) {
    let world = World::demo();
    check(&mut world.cli());
    let world = World::demo();
    check(&mut world.mcp());
}

fn numbers(value: &Value) -> Vec<u64> {
    let rows = value.as_array().unwrap().iter();
    rows.map(|row| row.as_u64().unwrap()).collect()
}

#[test]
fn code_goes_through_all_pages() {
    both(|surface| {
        let whole = format!(
            "const page = await capstan.issue.list({{ {REPO}, first: 100 }});
             return page.$meta.pagination.has_next_page ? 'more' : page.issues.map((it) => it.number);"
        );
        let whole = surface.exec("in one page", &whole, &json!({}));
        let expected = numbers(&whole["data"]);
        assert!(expected.len() > 6, "{whole}");
        for code in [
            format!(
                "const all = await capstan.issue.list.all({{ {REPO}, first: 2 }}); return all.map((it) => it.number);"
            ),
            format!(
                "const all = []; for await (const issue of capstan.issue.list.all({{ {REPO}, first: 3 }}, {{ limit: 500 }})) all.push(issue.number); return all;"
            ),
        ] {
            let ran = surface.exec("in many pages", &code, &json!({}));
            assert_eq!(numbers(&ran["data"]), expected, "{ran}");
            assert!(ran["meta"].get("warnings").is_none(), "{ran}");
            let called = ran["meta"]["calls"][0]["capability"].as_str();
            assert_eq!(called, Some("issue.list"), "{ran}");
            let name = &ran["meta"]["capability_fqdn"];
            let known = surface.run("cap.show", &json!({"capability": name}));
            assert_eq!(known["data"]["calls"], json!(["issue.list"]));
        }
    });
}

/// The code names no page size, so none is made up that the cursor was not given out for.
#[test]
fn all_rows_continue_from_any_cursor() {
    both(|surface| {
        for (list, input) in [
            ("workflow.runs.list", "owner: 'acme', repo: 'rocket'"),
            ("issue.list", REPO),
        ] {
            let code = format!(
                "const page: any = await capstan.{list}({{ {input}, first: 2 }});
                 const rest = await capstan.{list}.all({{ {input}, after: page.$meta.pagination.end_cursor }});
                 const whole = await capstan.{list}.all({{ {input} }});
                 return [rest.length, whole.length];"
            );
            let ran = surface.exec("the rest", &code, &json!({}));
            let counts = numbers(&ran["data"]);
            assert!(counts[1] > 2 && counts[0] == counts[1] - 2, "{ran}");
        }
    });
}

#[test]
fn one_page_of_several_is_told_in_the_answer() {
    both(|surface| {
        let code = format!(
            "const {{ issues }} = await capstan.issue.list({{ {REPO}, first: 2 }}); return issues.length;"
        );
        let ran = surface.exec("a page", &code, &json!({}));
        assert_eq!(ran["data"], 2, "{ran}");
        let warnings = ran["meta"]["warnings"].as_array().unwrap();
        let told = warnings[0].as_str().unwrap();
        assert!(
            told.contains("capstan.issue.list gave one page of several (2 of "),
            "{told}"
        );
        // By its name as well.
        let again = surface.call(ran["meta"]["capability_name"].as_str().unwrap(), &json!({}));
        assert_eq!(
            again["meta"]["warnings"], ran["meta"]["warnings"],
            "{again}"
        );
        let code =
            format!("return (await capstan.issue.list.all({{ {REPO} }}, {{ limit: 2 }})).length;");
        let ran = surface.exec("up to a limit", &code, &json!({}));
        let told = ran["meta"]["warnings"][0].as_str().unwrap();
        assert!(told.contains("stopped at its limit of 2 rows"), "{ran}");
    });
}

#[test]
fn what_has_no_pages_is_not_called_for_them() {
    let world = World::demo();
    let mut mcp = world.mcp();
    let code = "await capstan.issue.create.all({ owner: 'acme', repo: 'rocket', title: 'Never' })";
    let refused = mcp.exec("create", code, &json!({}));
    assert_eq!(refused["error"]["code"], "VALIDATION", "{refused}");
    let message = refused["error"]["message"].as_str().unwrap();
    assert!(message.contains("`issue.create` has no pages"), "{message}");
    let listed = mcp.run("issue.list", &json!({"owner": "acme", "repo": "rocket"}));
    assert!(!listed.to_string().contains("Never"), "{listed}");
    let unknown = mcp.exec("list", "await capstan.isue.list.all({})", &json!({}));
    assert_eq!(unknown["error"]["code"], "NOT_FOUND", "{unknown}");
    let own = mcp.exec("list", "await capstan.trace.list.all({})", &json!({}));
    assert_eq!(own["error"]["code"], "VALIDATION", "{own}");
}

#[test]
fn code_that_only_prints_gives_what_it_printed() {
    let world = World::demo();
    let mut server = world.server();
    let call =
        json!({"intent": "print", "code": "console.log('three', 3); console.warn({ a: 1 });"});
    let result = server.tool("execute", &call);
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("three 3"), "{text}");
    let envelope = &result["structuredContent"];
    assert_eq!(envelope["data"], Value::Null, "{envelope}");
    assert_eq!(envelope["meta"]["console"][1]["text"], "{\"a\":1}");
    let name = envelope["meta"]["capability_name"].clone();
    let named = server.execute(&json!({"capability": name, "intent": "again"}));
    assert_eq!(named["meta"]["console"][0]["text"], "three 3", "{named}");
    // Who has a value has said what is worth saying.
    let call = json!({"intent": "print", "code": "console.log('three', 3); return 3;"});
    let envelope = server.execute(&call);
    assert!(envelope["meta"].get("console").is_none(), "{envelope}");
}
