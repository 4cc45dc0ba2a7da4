//! What a page about a mistake in skills shows is what `capstan check` says.

use std::collections::BTreeMap;

use crate::cli::harness::{Place, Ran};
use crate::documentation::update;
use crate::support::workspace;

/// With `UPDATE_DOCS` set, what is said is written into the pages instead.
#[test]
fn the_wrong_file_of_a_page_is_told_as_shown_and_the_right_one_is_sound() {
    let mut differing = Vec::new();
    for (code, _) in capstan_skill::CODES {
        let file = workspace().join(format!("docs/errors/{code}.md"));
        let page = std::fs::read_to_string(&file).unwrap();
        let (_, after) = page.split_once("## Wrong\n\n```yaml\n").expect(code);
        let (wrong, after) = after.split_once("```").expect(code);
        let (_, after) = after.split_once("```text\n").expect(code);
        let (shown, after) = after.split_once("```").expect(code);
        let (_, after) = after.split_once("## Right\n\n```yaml\n").expect(code);
        let (right, _) = after.split_once("```").expect(code);

        let said = checked(wrong).stdout;
        assert!(said.contains(&format!("[{code}]")), "{code}: {said}");
        let mended = checked(&mended(wrong, right));
        assert_eq!(
            (mended.code, &*mended.stdout),
            (0, ""),
            "{code}: {mended:?}"
        );
        if said != shown {
            differing.push(format!("{code}:\n{said}"));
            if update() {
                let fresh = page.replace(
                    &format!("```text\n{shown}```"),
                    &format!("```text\n{said}```"),
                );
                std::fs::write(&file, fresh).unwrap();
            }
        }
    }
    assert!(
        differing.is_empty() || update(),
        "what is said now (UPDATE_DOCS=1 writes it):\n{}",
        differing.join("\n")
    );
}

/// Codes that cards have too, and that have an example in a skill.
#[test]
fn pages_that_are_shared_with_cards_show_what_happens_in_skills() {
    for code in ["E041", "E042", "E044"] {
        let file = workspace().join(format!("docs/errors/{code}.md"));
        let page = std::fs::read_to_string(&file).unwrap();
        let (_, after) = page.split_once("## In skills").expect(code);
        let (_, after) = after.split_once("```yaml\n").expect(code);
        let (wrong, after) = after.split_once("```").expect(code);
        let (_, after) = after.split_once("```text\n").expect(code);
        let (shown, _) = after.split_once("```").expect(code);
        assert_eq!(checked(wrong).stdout, shown, "{code}");
    }
}

fn checked(text: &str) -> Ran {
    let place = Place::new();
    place.write("skills/triage.yaml", text);
    place.line("check skills")
}

/// The skills of one text, in the place of those of the same name in another.
fn mended(wrong: &str, right: &str) -> String {
    let by_id = |text: &str| -> BTreeMap<String, String> {
        let documents = text.split("---\n").map(|document| {
            let id = document.lines().next().unwrap_or_default().to_owned();
            assert!(id.starts_with("id: "), "{document}");
            (id, document.to_owned())
        });
        documents.collect()
    };
    let mut all = by_id(wrong);
    all.extend(by_id(right));
    all.into_values().collect::<Vec<_>>().join("---\n")
}
