//! Answers on narrow and wide terminals: nothing is wider than the terminal, words stay whole, and
//! characters that take two columns are counted as such.

use github_sim::world::{NewIssue, Viewer};
use unicode_width::UnicodeWidthStr as _;

use super::harness::{Github, Place, without_colours};

const WIDTHS: [u16; 4] = [40, 80, 120, 200];

const TITLE: &str = "火箭发动机在静态点火测试中提前熄火 🚀 and the 👩‍🚀 reports it";
const BODY: &str = "During the second static fire of the year the turbopump of engine three reached its limit, \
and 推进剂的流量在三秒内下降了百分之四十,没有任何警告。\n\n- the first point is long enough that it does not fit on a line of eighty columns at all\n\n\
```\nlet code = \"stays as it is, however long the line may be, because somebody copies it\";\n```\n";

/// The number of an issue with wide characters and long paragraphs, the newest of its repository.
fn with_issue(github: &Github) -> u64 {
    github.sim.world(|world| {
        let repo = world.find_repo("acme", "rocket").unwrap();
        let new = NewIssue {
            title: TITLE.to_owned(),
            body: BODY.to_owned(),
            ..NewIssue::default()
        };
        let viewer = Viewer::full("maya-chen");
        world.create_issue(&viewer, repo, new).unwrap().number
    })
}

fn shown(place: &Place, columns: u16, line: &str) -> String {
    let words: Vec<_> = line.split_whitespace().collect();
    let (code, text) = place.screen_at(columns, &words);
    assert_eq!(code, 0, "{text}");
    without_colours(&text)
}

/// Every word of the titles in the list that is there as one piece, whatever the width.
#[test]
fn tables_keep_words_whole_at_every_width() {
    let github = Github::demo();
    let number = with_issue(&github);
    let place = Place::new().online(&github);
    for columns in WIDTHS {
        let text = shown(&place, columns, "run issue.list -R acme/rocket first=5");
        for word in [
            "sensor",
            "brown-out",
            "flight-critical",
            "documentation",
            "priya-nair",
        ] {
            let whole = text.contains(word);
            let at_its_joint = word.split_once('-').is_some_and(|(before, after)| {
                text.contains(&format!("{before}-")) && text.contains(after)
            });
            assert!(whole || at_its_joint, "{columns}: {word}\n{text}");
        }
        assert!(text.contains(&number.to_string()), "{text}");
        let of_table = text
            .lines()
            .take_while(|line| !line.starts_with("there are more"));
        for line in of_table {
            assert!(
                line.width() <= usize::from(columns),
                "{columns}: {line}\n{text}"
            );
        }
    }
}

#[test]
fn bodies_are_wrapped_and_code_in_them_is_not() {
    let github = Github::demo();
    let number = with_issue(&github);
    let place = Place::new().online(&github);
    let line = format!("run issue.view -R acme/rocket issue_number={number} --fields title,body");
    for columns in WIDTHS {
        let text = shown(&place, columns, &line);
        let code = "let code = \"stays as it is, however long the line may be, because somebody copies it\";";
        assert!(text.replace('\n', "").contains(code), "{columns}: {text}");
        for line in text.lines().filter(|line| !code.contains(line.trim())) {
            let is_offer = line.starts_with("next ") || line.contains("run issue.");
            assert!(
                is_offer || line.width() <= usize::from(columns) || line.contains("let code"),
                "{columns}: {line}\n{text}"
            );
        }
        if columns == 80 {
            assert!(text.contains("\n  "), "the point of the list hangs: {text}");
        }
    }
}

/// What people copy stays in one line: commands, code and files.
fn is_copied(line: &str) -> bool {
    let starts = ["$ ", "next ", "try ", "or ", "  capstan "];
    starts.iter().any(|start| line.starts_with(start))
}

#[test]
fn pages_of_errors_fit_into_the_terminal() {
    let place = Place::new();
    for code in ["E003", "E041", "E042", "E047"] {
        let text = shown(&place, 80, &format!("explain {code}"));
        let mut is_code = false;
        for line in text.lines() {
            if line.starts_with("```") {
                is_code = line.starts_with("```yaml");
            }
            assert!(is_code || line.width() <= 80, "{code}: {line}");
        }
        let piped = place.line(&format!("explain {code}"));
        assert!(
            piped.stdout.lines().any(|line| line.width() > 80),
            "{piped:?}"
        );
    }
}

#[test]
fn the_tour_fits_into_the_terminal() {
    let text = shown(&Place::new(), 80, "demo");
    let said = text.lines().filter(|line| !is_copied(line));
    // The chain and the code that are shown are files.
    let is_file =
        |line: &str| line.starts_with("  {") || line.contains(" │ ") || line.contains("https://");
    let wide: Vec<_> = said
        .filter(|line| line.width() > 80 && !is_file(line))
        .collect();
    assert!(wide.is_empty(), "{}", wide.join("\n"));
}

#[test]
fn errors_fit_into_the_terminal() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    for line in [
        "run issue.view --input {\"issue_number\":\"x\",\"colour\":\"green\",\"repository\":\"acme\"}",
        "list --domain nothing-of-this-name",
    ] {
        let words: Vec<_> = line.split_whitespace().collect();
        let (_, text) = place.screen_at(80, &words);
        let text = without_colours(&text);
        let wide = text
            .lines()
            .find(|line| !is_copied(line) && line.width() > 80);
        assert_eq!(wide, None, "{text}");
        assert!(text.lines().count() > 1, "{text}");
    }
}

#[test]
fn names_with_a_hyphen_stay_whole_where_they_fit() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    let text = shown(&place, 80, "run issue.list -R acme/rocket first=5");
    assert!(text.contains("flight-critical"), "{text}");
}

#[test]
fn the_usual_route_is_not_told_and_another_is() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    let view = "run issue.view -R acme/rocket issue_number=1 --fields title";
    assert!(!shown(&place, 80, view).contains("via "));
    let traced = shown(&place, 80, &format!("{view} --trace"));
    assert!(
        traced.contains("issue.view via graphql (CARD_PREFERRED)"),
        "{traced}"
    );
    let forced = shown(&place, 80, &format!("{view} --route rest"));
    assert!(
        forced.contains("issue.view via rest (ENV_CONSTRAINT)"),
        "{forced}"
    );
}

/// In a pipe nothing is wrapped, whatever the terminal is.
#[test]
fn a_pipe_gets_the_whole_text() {
    let github = Github::demo();
    let number = with_issue(&github);
    let place = Place::new().online(&github).env("COLUMNS", "40");
    let ran = place.line(&format!(
        "run issue.view -R acme/rocket issue_number={number}"
    ));
    assert_eq!(ran.json()["data"]["title"], TITLE);
    assert_eq!(ran.json()["data"]["body"], BODY);
}
