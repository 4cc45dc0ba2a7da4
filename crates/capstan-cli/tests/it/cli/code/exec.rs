//! `exec` and `call` on a terminal: results, consoles, errors in the code.

use github_sim::{Fault, FaultKind};

use super::workshop::Workshop;
use crate::cli::harness::{Github, Place, timeless, without_colours};

fn shown(code: &str, args: &[&str]) -> String {
    let workshop = Workshop::empty();
    workshop.screen(&[&["exec", "-e", code, "--intent", "try it"], args].concat())
}

#[test]
fn results_of_all_shapes() {
    let _timeless = timeless();
    let mut all = String::new();
    for code in [
        "21 * 2",
        "'two\\nlines'",
        "null",
        "undefined",
        "[1, 2, 3]",
        "[]",
        "({})",
        "({ answer: 42, words: ['a', 'b'], nested: { deep: true } })",
        "({ rows: [{ a: 1 }, { a: 2 }], total: 2 })",
        "[{ number: 1, title: 'one' }, { number: 2, labels: ['x', 'y'] }]",
        "[{ a: 1 }, 2]",
        "[{}, {}]",
    ] {
        all.push_str(&format!("> {code}\n{}", shown(code, &[])));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn what_it_writes_is_shown_in_order() {
    let _timeless = timeless();
    let code = "console.log('a', 1, { b: 2 });
        console.error('bad');
        console.warn('two\\nlines');
        console.info('info'); console.debug('debug');
        return 'done'";
    insta::assert_snapshot!(shown(code, &[]));
}

#[test]
fn asked_for_a_trace_it_is_named() {
    let _timeless = timeless();
    insta::assert_snapshot!(shown("console.log('hi'); return 1", &["--trace"]));
}

#[test]
fn errors_are_shown_in_the_code() {
    let _timeless = timeless();
    let mut all = String::new();
    for code in [
        "const x: any = null;\n\n// here\nconst y = 1;\nx.name;\n\n// after\n'not shown'",
        "function inner(n: number) {\n\tthrow new RangeError('too ' + n);\n}\nconsole.log('before');\ninner(3)",
        "const open = {",
        "import fs from 'fs'",
        "const a = 1\nawait capstan.issue.view({ owner: 'acme', repo: 'rocket', issue_number: 4242 })",
        "await capstan.issue.view({ owner: 'acme' })",
        "throw 'a text'",
        "() => 1",
    ] {
        all.push_str(&format!("{}\n", shown(code, &[])));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn an_error_of_a_call_is_shown_in_the_remembered_code() {
    let _timeless = timeless();
    let workshop = Workshop::empty();
    let code =
        "// Fails for some.\nif (args.n > 1) {\n  throw new Error('too many');\n}\nreturn args.n";
    workshop.json(&["exec", "-e", code, "--intent", "count", "n=1"]);
    let name = workshop.json(&["cap", "list"])["data"]["capabilities"][0]["name"].clone();
    insta::assert_snapshot!(workshop.screen(&["call", name.as_str().unwrap(), "n=2"]));
}

#[test]
fn files_are_read() {
    let workshop = Workshop::empty();
    workshop.place.write("add.ts", "args.a + args.b");
    let ran = workshop.json(&["exec", "add.ts", "a=1", "b=2", "--intent", "add"]);
    assert_eq!(ran["data"], 3);
    let missing = workshop.run(&["exec", "nothing.ts", "--intent", "x"]);
    assert_eq!(missing.code, 2);
    assert!(
        missing.stderr.contains("cannot read `nothing.ts`"),
        "{missing:?}"
    );
    workshop.place.write("large.ts", "//".repeat(5 << 20));
    let large = workshop.run(&["exec", "large.ts", "--intent", "x"]);
    assert_eq!(large.code, 2);
    assert!(large.stderr.contains("is larger than"), "{large:?}");
}

/// The pause is GitHub's.
#[test]
fn a_long_run_is_seen_to_go_on() {
    let github = Github::demo();
    github
        .sim
        .inject(Fault::once(FaultKind::Latency { ms: 2500 }));
    let place = Place::new().online(&github);
    let code = "(await capstan.repo.view({ owner: 'acme', repo: 'rocket' })).name";
    let args = [
        "exec",
        "-e",
        code,
        "--intent",
        "wait",
        "--timeout-ms",
        "30000",
    ];
    let (code, text) = place.raw_terminal(&args);
    let plain = without_colours(&text);
    assert_eq!(code, 0, "{plain}");
    assert!(plain.contains("\r| running for 1 s"), "{plain:?}");
    assert!(plain.contains("\r/ running for 1 s"), "{plain:?}");
    github
        .sim
        .inject(Fault::once(FaultKind::Latency { ms: 1500 }));
    let (_, screen) = place.screen(&args);
    assert!(!screen.contains("running for"), "{screen}");
    github
        .sim
        .inject(Fault::once(FaultKind::Latency { ms: 1500 }));
    assert_eq!(place.run(&args).stderr, "");
}
