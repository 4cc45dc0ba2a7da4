//! Excerpts of files that people may have: long lines, other alphabets, other line ends.

use crate::cli::harness::Place;

fn shown(text: &str) -> String {
    let place = Place::new();
    place.write("skills.yaml", text);
    let (code, screen) = place.screen_at(80, &["check", "--no-hints", "skills.yaml"]);
    assert_eq!(code, 1);
    for line in screen.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    screen
}

#[test]
fn long_lines_are_cut_around_the_place() {
    let parts: Vec<_> = (0..60)
        .map(|it| format!("{{skill: issue.view, as: step-{it}}}"))
        .collect();
    let (first, second) = parts.split_at(30);
    let text = format!(
        "id: look\nlevel: 2\ncomposes: [{}, issue.veiw, {}]\n",
        first.join(", "),
        second.join(", ")
    );
    insta::assert_snapshot!(shown(&text));
}

#[test]
fn labels_far_to_the_right_are_read_all_the_same() {
    let text = r#"id: look
level: 2
composes: [{skill: count, output_mapping: {total: total_of_all_that_was_counted}}, {skill: label, input_mapping: {total_of_all_that_was_counted: label}}]
---
id: count
level: 1
code: "return {total: {}}"
input_schema: {type: object}
output_schema: {type: object, properties: {total: {type: object, properties: {of_the_first_kind: {type: integer}, of_the_second_kind: {type: integer}}}}, required: [total]}
---
id: label
level: 1
code: "return {}"
input_schema: {type: object, properties: {label: {type: string}}, required: [label]}
output_schema: {type: object}
"#;
    insta::assert_snapshot!(shown(text));
}

#[test]
fn columns_are_counted_in_characters() {
    let text =
        "id: look\r\nlevel: 2\r\ncomposes: [{inputs: {\"ä\": 1}, skill: issue.veiw}] # 日本語\r\n";
    insta::assert_snapshot!(shown(text));
}
