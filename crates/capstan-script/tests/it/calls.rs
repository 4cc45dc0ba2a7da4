//! What code is found to call.

use crate::support::calls;

#[track_caller]
fn check(code: &str, expected: &[&str]) {
    assert_eq!(calls(code), expected, "{code}");
}

#[test]
fn calls_by_name_are_found() {
    check("capstan.issue.view({})", &["capstan issue.view"]);
    check(
        "capstan.issue.comments.list({})",
        &["capstan issue.comments.list"],
    );
    check("capstan['issue'][`view`]({})", &["capstan issue.view"]);
    check("await capstan?.issue?.view?.({})", &["capstan issue.view"]);
    check(
        "(capstan as any).issue!.view<string>({})",
        &["capstan issue.view"],
    );
    check("globalThis.capstan.issue.view()", &["capstan issue.view"]);
    check(
        "mcp.files.read({}); mcp['my-server']['read_file']({})",
        &["mcp files read", "mcp my-server read_file"],
    );
    check(
        "caps.mine(); caps['my-name'](); caps['a.b.c.d.e']()",
        &["caps mine", "caps my-name", "caps a.b.c.d.e"],
    );
    check("const name = 'mine'; caps[name]()", &["caps mine"]);
    check(
        "declare const capstan: any; capstan.issue.view()",
        &["capstan issue.view"],
    );
}

#[test]
fn they_stand_in_their_order_and_once() {
    check(
        "await capstan.pr.list(await capstan.pr.view()); capstan.issue.view(); capstan.pr.view(); mcp.a.b()",
        &[
            "capstan pr.list",
            "capstan pr.view",
            "capstan issue.view",
            "mcp a b",
        ],
    );
    check(
        "await Promise.all([capstan.a.b(), caps.c()])",
        &["capstan a.b", "caps c"],
    );
    check(
        "capstan.a.b().then(x => capstan.c.d(x))",
        &["capstan a.b", "capstan c.d"],
    );
}

#[test]
fn a_reference_counts() {
    check("ids.map(capstan.issue.view)", &["capstan issue.view"]);
    check(
        "const f = { go: capstan.issue.view }; f",
        &["capstan issue.view"],
    );
    check("capstan.issue.view.bind(null)()", &["capstan issue.view"]);
    check(
        "const view = capstan.issue.view; ids.map(view)",
        &["capstan issue.view"],
    );
    check(
        "let view = capstan.issue.view; view = x; view()",
        &["capstan issue.view"],
    );
}

#[test]
fn aliases_are_followed() {
    check(
        "const gh = capstan; gh.issue.view()",
        &["capstan issue.view"],
    );
    check(
        "const { issue } = capstan; issue.view()",
        &["capstan issue.view"],
    );
    check(
        "const { issue: { view: v, list } } = capstan; list(); v()",
        &["capstan issue.list", "capstan issue.view"],
    );
    check(
        "const i = capstan.issue, c = i.comments; c.list()",
        &["capstan issue.comments.list"],
    );
    check(
        "const { a, ...rest } = mcp; rest.files.read()",
        &["mcp files read"],
    );
    check(
        "f(); const i = capstan.issue; function f() { i.view() }",
        &["capstan issue.view"],
    );
    check(
        "const go = async (gh) => gh.view(); await go(capstan.issue)",
        &["capstan issue.view"],
    );
    check(
        "function go({ issue }) { issue.view() } go(capstan)",
        &["capstan issue.view"],
    );
    check(
        "await (async (c) => c.issue.view())(capstan)",
        &["capstan issue.view"],
    );
}

#[test]
fn other_things_are_no_calls() {
    check("const capstan = x; capstan.issue.view()", &[]);
    check("function f(mcp) { mcp.a.b() } f(1)", &[]);
    check(
        "capstan.issue; capstan.issue['x' + y](); capstan[z].view()",
        &[],
    );
    check("x.capstan.issue.view()", &[]);
    check("capstan.issue.view = 1", &[]);
    check("'capstan.issue.view()'", &[]);
    check("let i = capstan.issue; i = x; i.view()", &[]);
    check(
        "function go(gh) { gh.view() } go(capstan.issue); go(x)",
        &[],
    );
    check("const a = b, b = a; a.x.y()", &[]);
    check("type T = typeof capstan.issue.view; 1", &[]);
    check("capstan(); mcp.a(); caps()", &[]);
}
