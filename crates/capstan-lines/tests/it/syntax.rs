//! Words, quotes, lines and their names.

use capstan_lines::{LineError, parse, quote, split};

fn words(line: &str) -> Vec<String> {
    parse(line)
        .expect(line)
        .words()
        .map(str::to_owned)
        .collect()
}

#[test]
fn words_are_cut_as_a_shell_does() {
    for (line, expected) in [
        ("a b\tc\n d", vec!["a", "b", "c", "d"]),
        ("a 'b  c' \"d e\"", vec!["a", "b  c", "d e"]),
        (r#"a "say \"hi\" \\ \n""#, vec!["a", r#"say "hi" \ \n"#]),
        (r"a 'b\'", vec!["a", r"b\"]),
        (r"a b\ c \'d \\", vec!["a", "b c", "'d", "\\"]),
        (r#"a b'c d'"e f"g"#, vec!["a", "bc de fg"]),
        ("a '' \"\"", vec!["a", "", ""]),
        ("a \"one\ntwo\"", vec!["a", "one\ntwo"]),
        ("a \\\n  --b \\\r\n c", vec!["a", "--b", "c"]),
        ("a b\\\nc", vec!["a", "bc"]),
        ("a b\\", vec!["a", "b\\"]),
        ("a --x='y z'", vec!["a", "--x=y z"]),
        ("ä 'ö\u{a0}ü'\u{a0}x", vec!["ä", "ö\u{a0}ü", "x"]),
    ] {
        assert_eq!(words(line), expected, "{line}");
    }
}

#[test]
fn an_open_quote_is_named_with_its_place() {
    let unclosed = |quote, line, column| LineError::Unclosed {
        quote,
        line,
        column,
    };
    assert_eq!(parse("äb \"c"), Err(unclosed('"', 1, 4)));
    assert_eq!(parse("a 'it''s"), Err(unclosed('\'', 1, 7)));
    assert_eq!(split("a b\n  c d'e\nf"), Err(unclosed('\'', 2, 6)));
    assert_eq!(
        parse("a \"b").unwrap_err().to_string(),
        "the quote \" at line 1, column 3 is not closed: end the value with \", or write the character itself as \\\""
    );
    assert_eq!(parse("  "), Err(LineError::Empty));
    assert_eq!(parse("bugs:"), Err(LineError::Empty));
}

#[test]
fn a_text_is_cut_where_lines_end() {
    let text = "\n# it's a comment\nissue.close 1\r\n\n  issue.close 2 \\\n   --comment \"one\n# two\n\"  \n#\n #3\na '\n'";
    assert_eq!(
        split(text).unwrap(),
        [
            "issue.close 1",
            "issue.close 2 \\\n   --comment \"one\n# two\n\"",
            "#3",
            "a '\n'",
        ]
    );
    assert_eq!(split(" \n\n"), Ok(vec![]));
}

#[test]
fn a_line_can_have_a_name() {
    for line in [
        "as bugs: issue.list x",
        "bugs: issue.list x",
        "bugs = issue.list x",
        "bugs=issue.list x",
    ] {
        assert_eq!(parse(line).unwrap().name.as_deref(), Some("bugs"), "{line}");
        assert_eq!(words(line), ["issue.list", "x"], "{line}");
    }
    for line in ["issue.list --as bugs", "issue.list --as=bugs --state all"] {
        assert_eq!(parse(line).unwrap().name.as_deref(), Some("bugs"), "{line}");
    }
    for line in [
        "issue.list",
        "issue.list -- --as bugs",
        "issue.create --title '--as bugs'",
        "'bugs:' issue.list",
        "issue.list '=' x",
        "1x: issue.list",
    ] {
        assert_eq!(parse(line).unwrap().name, None, "{line}");
    }
    for line in ["as 1x: issue.list", "1x = issue.list"] {
        let name = "1x".to_owned();
        assert_eq!(parse(line), Err(LineError::Name { name }), "{line}");
    }
}

#[test]
fn quotes_are_added_where_they_are_needed() {
    for (text, quoted) in [
        ("plain-1_2.3/4", "plain-1_2.3/4"),
        ("", "''"),
        ("two words", "'two words'"),
        ("it's", "\"it's\""),
        ("it's \"\\\"", r#""it's \"\\\"""#),
        ("it's $1", r"'it'\''s $1'"),
        ("$a.b", "'$a.b'"),
        ("bugs:", "'bugs:'"),
        ("# x", "'# x'"),
        ("a=b", "'a=b'"),
    ] {
        assert_eq!(quote(text), quoted);
    }
}
