//! Checks that other programs can read the rendered plans.

#![expect(
    clippy::panic,
    reason = "helpers of tests fail by panicking, like tests"
)]

use capstan_skill::render::{dot, mermaid, svg, text_tree};
use unicode_width::UnicodeWidthStr as _;

use super::plans::all;

#[test]
fn all_pictures_are_well_formed() {
    for (_, plan) in all() {
        assert_svg(&svg(&plan));
        assert_dot(&dot(&plan));
        assert_mermaid(&mermaid(&plan));
        assert_lines(&text_tree(&plan));
    }
}

/// Programs without support for style sheets paint elements without a colour black.
#[test]
fn drawings_have_their_colours_without_a_style_sheet() {
    for (name, plan) in all() {
        let drawn = svg(&plan);
        assert!(!drawn.contains("var("), "{name}");
        let document = roxmltree::Document::parse(&drawn).unwrap();
        let painted = ["rect", "path", "text"];
        for node in document.descendants() {
            if painted.contains(&node.tag_name().name()) {
                let colours = [node.attribute("fill"), node.attribute("stroke")];
                assert!(colours.iter().all(Option::is_some), "{name}: {node:?}");
                assert!(
                    colours.iter().any(|it| *it != Some("none")),
                    "{name}: {node:?}"
                );
            }
        }
    }
}

pub(super) fn assert_svg(text: &str) {
    let document =
        roxmltree::Document::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let known = [
        "svg", "title", "desc", "style", "defs", "marker", "path", "text", "g", "rect",
    ];
    for node in document.descendants().filter(|it| it.is_element()) {
        assert!(known.contains(&node.tag_name().name()), "{node:?}");
        for attribute in node.attributes() {
            assert!(!attribute.name().starts_with("on"), "{attribute:?}");
            assert!(!attribute.value().contains("http"), "{attribute:?}");
        }
    }
    let style = document.descendants().find(|it| it.has_tag_name("style"));
    let style = style.and_then(|it| it.text()).unwrap_or_default();
    assert!(
        !style.contains("url(") && !style.contains("@import"),
        "{style}"
    );
}

/// Checks that everything outside of quotes is valid and all brackets are closed.
pub(super) fn assert_dot(text: &str) {
    let mut open = Vec::new();
    let mut letters = text.chars();
    while let Some(c) = letters.next() {
        match c {
            '"' => loop {
                match letters.next() {
                    Some('\\') => {
                        let escaped = letters.next();
                        assert!(
                            matches!(escaped, Some('"' | '\\' | 'n')),
                            "{escaped:?}\n{text}"
                        );
                    }
                    Some('"') => break,
                    Some('\n') | None => panic!("a text does not end\n{text}"),
                    Some(_) => {}
                }
            },
            '{' | '[' => open.push(c),
            '}' => assert_eq!(open.pop(), Some('{'), "{text}"),
            ']' => assert_eq!(open.pop(), Some('['), "{text}"),
            c => {
                let known = c.is_ascii_alphanumeric() || " \n_=,;->".contains(c);
                assert!(known, "{c:?}\n{text}");
            }
        }
    }
    assert_eq!(open, [], "{text}");
}

/// Checks that every line is valid in a flow chart, and that texts contain no special characters.
pub(super) fn assert_mermaid(text: &str) {
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("flowchart LR"));
    let mut depth = 0;
    for line in lines {
        let line = line.trim();
        let pieces: Vec<&str> = line.split('"').collect();
        assert!(pieces.len() == 1 || pieces.len() == 3, "{line}");
        if let [_, label, _] = pieces.as_slice() {
            let label = label.replace("<br/>", "");
            assert!(!label.contains(['<', '>', '`', '&', '|']), "{line}");
        }
        let outside = format!("{}{}", pieces[0], pieces.get(2).unwrap_or(&""));
        match outside.as_str() {
            "end" => depth -= 1,
            it if it.starts_with("subgraph s") && it.ends_with("[]") => depth += 1,
            it if it.starts_with("class") => {}
            it if it.starts_with('n') && (it.ends_with("[]") || it.contains(" -")) => {}
            _ => panic!("{line}"),
        }
    }
    assert_eq!(depth, 0);
}

pub(super) fn assert_lines(text: &str) {
    for line in text.lines() {
        assert!(line.chars().count() <= 80 && line.width() <= 80, "{line}");
        assert!(!line.chars().any(char::is_control), "{line:?}");
    }
}
