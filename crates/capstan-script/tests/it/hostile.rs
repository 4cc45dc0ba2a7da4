//! Code that is made to break its reader.

use capstan_core::code::{ScriptErrorKind, Stopped};
use capstan_script::{MAX_SOURCE_BYTES, SourceMap, read};

use crate::support::{refusal, script};

/// What nests, with and without brackets, and what closes it.
const NESTING: [(&str, &str, &str); 36] = [
    ("(", "1", ")"),
    ("[", "1", "]"),
    ("{", "1", "}"),
    ("!", "1", ""),
    ("- ", "1", ""),
    ("a?b:", "1", ""),
    ("x=>", "1", ""),
    ("(x)=>", "1", ""),
    ("if(1)", "1", ""),
    ("if(1)a;else ", "1", ""),
    ("if(1){}else ", "1", ""),
    ("`${", "1", "}`"),
    ("1+", "1", ""),
    ("a=", "1", ""),
    ("a**", "1", ""),
    ("new ", "a", ""),
    ("typeof ", "1", ""),
    ("await ", "1", ""),
    ("for(;;)", "1", ""),
    ("while(1)", "1", ""),
    ("do ", "1", ";while(1)"),
    ("(function(){", "1", "})"),
    ("class extends ", "a", "{}"),
    ("x={a:", "1", "}"),
    ("f(", "1", ")"),
    ("<a>", "1", ""),
    ("a?.[", "1", "]"),
    ("1,!", "1", ""),
    ("let x:A<", "a", ">"),
    ("type A=B<C,", "a", ">"),
    ("a.b.", "c", ""),
    ("a()", "", ""),
    ("a\n=>\n!", "1", ""),
    ("!\n", "1", ""),
    ("async()=>", "1", ""),
    ("namespace A{", "1", "}"),
];

#[test]
fn nesting_is_refused_before_it_hurts() {
    for (open, middle, close) in NESTING {
        let times = (MAX_SOURCE_BYTES - middle.len()) / (open.len() + close.len());
        let code = [&open.repeat(times), middle, &close.repeat(times)].concat();
        match read(&code) {
            Err(error) => {
                let known = [
                    ScriptErrorKind::Syntax,
                    ScriptErrorKind::Limit(Stopped::Source),
                ];
                assert!(known.contains(&error.kind), "{open}: {error:?}");
            }
            // One after the other, not one in another.
            Ok(_) => assert!(["1,!"].contains(&open), "{open}"),
        }
        let unclosed = [&open.repeat(times), middle].concat();
        let _ = read(&unclosed);
    }
}

#[test]
fn what_is_not_refused_fits_into_two_megabytes_of_stack() {
    let deepest = || {
        for (open, middle, close) in NESTING {
            for times in (20..=500).step_by(20) {
                let _ = read(&[&open.repeat(times), middle, &close.repeat(times)].concat());
            }
        }
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20);
    thread.spawn(deepest).unwrap().join().unwrap();
}

#[test]
fn what_nests_too_deeply_is_named() {
    let error = refusal(&format!("const a = 1;\n{}1", "!".repeat(600)));
    assert_eq!(error.kind, ScriptErrorKind::Limit(Stopped::Source));
    assert!(error.message.contains("500 levels"), "{error}");
    assert_eq!(error.place.unwrap().line, 2);
    let regex = refusal(&format!("/{}a{}/", "(".repeat(600), ")".repeat(600)));
    assert_eq!(regex.kind, ScriptErrorKind::Limit(Stopped::Source));
}

#[test]
fn a_slash_after_a_brace_is_taken_for_neither() {
    let error = refusal("if (a) { b() }\n/[(]/.test(c)");
    assert_eq!(error.kind, ScriptErrorKind::Limit(Stopped::Source));
    assert!(error.message.contains("write `;` before"), "{error}");
    assert_eq!(error.place.unwrap().line, 2);
    script("if (a) { b() }\n;/[(]/.test(c)");
    script("if (a) { b() }\n/abc/.test(c)");
    script("f(`${a}/${b}/'`)");
}

#[test]
fn deep_but_not_too_deep_is_read() {
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("!", ""),
        ("x=>", ""),
        ("f(", ")"),
        ("a?b:", ""),
    ] {
        script(&[&open.repeat(150), "f()", &close.repeat(150)].concat());
    }
}

#[test]
fn long_code_is_not_taken_for_deep_code() {
    let statements = [
        "a = b.c + !d ? e : -f;",
        "if (a === b) { c() } else if (d) e(); else { f() }\n",
        "const {a, b: [c]} = x.y, f = async ({z}) => await z?.q ?? {}\n",
        "for (let i = 0; i < n; i++) if (x < y) z.push(`${i} ${a.b}`)\n",
        "items.push({ name: 'x', value: a < b ? 1 : 2, list: [1, -2, !3] })\n",
        "function f<T extends A<B>>(a: Map<string, T[]>): a is T { return a as any }\n",
        "switch (a) { case 1: b(); break; default: c() }\n",
        "const re = /[(\\[]+\\//g.test('((((') || a / b / c\n",
        "label: while (true) { break label }\n",
        "do { a() } while (b)\n",
        "class A extends B { x: number = 1; get y() { return this.x } }\n",
        "interface A { b: string\n c?: number[] }\n",
        "try { a() } catch (e) { b(e) } finally { c() }\n",
        "// ((((\n/* [[[[ */ '((((' + \"[[[[\" + `{{{{`\n",
    ];
    for statement in statements {
        let code = format!("{{\n{}\n}}\n", statement.trim_end()).repeat(1000);
        assert!(code.len() < MAX_SOURCE_BYTES, "{statement}");
        script(&code);
    }
    let list = "{ a: x < y, b: !z ? -1 : [2, f(3)] },\n".repeat(3000);
    script(&format!("f([{list}])"));
}

#[test]
fn broken_text_is_refused() {
    for code in [
        "'",
        "\"",
        "`",
        "`${",
        "`${`",
        "/",
        "/*",
        "/a",
        "/[",
        "/a/\\",
        "'\\",
        "\\",
        "\\u",
        "\\u{",
        "#",
        "#a",
        "@",
        "\0",
        "a\0b",
        "\u{2028}'",
        "\u{fffe}",
        "'\\u{110000}'",
        "`\\u{`",
        "0x",
        "1n1",
        "1__0",
        "08n",
        "..",
        "...",
        "}",
        ")",
        "]",
        "({",
        "([",
        "if(",
        "<",
        "<a",
        "<!--",
        "-->",
        "a?.",
        "a ? b",
        "=>",
        "()=>",
        "async",
        "await",
        "class",
        "enum",
        "enum A",
        "namespace",
        "type",
        "interface A",
        "let",
        "let let = 1",
        "x: x: 1",
        "\u{feff}\u{feff}",
    ] {
        let _ = read(code);
    }
    assert_eq!(refusal("'").kind, ScriptErrorKind::Syntax);
    assert_eq!(refusal("a\0b").kind, ScriptErrorKind::Syntax);
}

#[test]
fn long_lines_of_other_characters_are_read_in_time() {
    let code = "f('ä😀');".repeat(MAX_SOURCE_BYTES / 15);
    let script = script(&code);
    let places = SourceMap::parse(&script.source_map).unwrap();
    // The second statement: after the directive and the first.
    let place = places.original(3, 1).unwrap();
    assert_eq!((place.line, place.column), (1, 9));
}

#[test]
fn many_names_are_read_in_time() {
    let chain: String = (1..8000)
        .map(|i| format!("const a{i} = a{};\n", i - 1))
        .collect();
    script(&format!("const a0 = capstan.issue;\n{chain}a7999.view()"));
    let calls: String = (0..6000)
        .map(|i| format!("capstan.a.b{i}(args.c{i});\n"))
        .collect();
    assert_eq!(script(&calls).calls.len(), 6000);
}
