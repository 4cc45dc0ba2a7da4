//! The names and values that stand in code.

use crate::support::script;

fn joined<'a>(names: impl IntoIterator<Item = &'a String>) -> String {
    let names: Vec<&str> = names.into_iter().map(String::as_str).collect();
    names.join(" ")
}

#[test]
fn names_that_are_read_are_told_from_those_that_are_set() {
    for (code, reads, writes) in [
        ("args.a.b?.c", "a b c", ""),
        ("args['a'][`b`][0]['c' + 'd']", "a b cd", ""),
        (
            "const { a, b: [{ c: d = 1 }], ...e } = args; d",
            "a b c",
            "",
        ),
        ("let a, d; ({ a, b: { c: d } } = args); d", "a b c", ""),
        ("for (const { a } of args.b) console.log(a)", "a b log", ""),
        ("((({ a }) => a))(args)", "a", ""),
        ("const a = 1; ({ a, b: 2, 'c': 3, d() {} })", "", "a b c d"),
        (
            "const x: any = {}; x.a = 1; x.b.c = 2; x.d += 3; x",
            "b d",
            "a c",
        ),
        ("const key = 'a'; args[key]", "a", ""),
        (
            "const all = Object.entries(args); all.find(([key]) => key === 'a')",
            "a entries find",
            "",
        ),
        ("// args.a\nargs.b /* .c */", "b", ""),
        (
            "type T = { a: number }; interface U { b: 1 } (args as { c: T }).d",
            "d",
            "",
        ),
        ("const text = 'a.b'; text", "", ""),
    ] {
        let found = script(code).mentions;
        assert_eq!(joined(&found.reads), reads, "{code}");
        assert_eq!(joined(&found.writes), writes, "{code}");
    }
}

#[test]
fn values_are_read_as_the_language_reads_them() {
    for (code, numbers, texts) in [
        ("[48, 0x30, 4_8, 48.0, 4.8e1, 48n]", &[48.0][..], ""),
        ("40 + 8", &[8.0, 40.0, 48.0], ""),
        ("(50 - 4 / 2) * 1", &[1.0, 2.0, 4.0, 48.0, 50.0], ""),
        ("'4' + '8' + `0`", &[], "0 4 48 480 8"),
        ("['\\x41', `b\\u0063`, `d${args.x}e`]", &[], "A bc d e"),
        ("({ key: 1e999 })", &[], "key"),
        ("// 48 and 'text'\nargs.x", &[], ""),
        ("type T = 48 | 'text'; args.x as 'other'", &[], ""),
        ("enum E { A = 7 } E.A", &[7.0], "A"),
    ] {
        let found = script(code).mentions;
        assert_eq!(found.numbers, numbers, "{code}");
        assert_eq!(joined(&found.texts), texts, "{code}");
    }
}

/// What reads code has ten seconds; a long sum must not take them.
#[test]
fn long_sums_are_read_quickly() {
    let code = format!("args.x{}", " + 1".repeat(400));
    assert_eq!(script(&code).mentions.numbers, [1.0]);
}
