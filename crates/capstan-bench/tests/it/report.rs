//! What is measured, and how it is shown.

use capstan_bench::{Corpus, Part, Report, evaluate};

use crate::support::{Letters, QUERIES, TOOLS, folder};

fn report() -> Report {
    let folder = folder(TOOLS, QUERIES);
    let corpus = Corpus::public(folder.path()).unwrap();
    evaluate(&corpus, &Letters).unwrap()
}

#[test]
fn as_a_table() {
    insta::assert_snapshot!(report().table(Part::All));
}

#[test]
fn as_json() {
    insta::assert_json_snapshot!(report().json());
}

#[test]
fn as_a_picture() {
    let svg = report().svg(Part::All);
    let document = roxmltree::Document::parse(&svg).unwrap();
    let bars = document.descendants().filter(|it| {
        let class = it.attribute("class").unwrap_or_default();
        it.has_tag_name("rect") && class.starts_with('m')
    });
    // Three of each source, and three of the legend.
    assert_eq!(bars.count(), 12);
    assert_eq!(svg, report().svg(Part::All));
    insta::assert_snapshot!(svg);
}

#[test]
fn names_are_always_found() {
    assert!(report().rows.iter().all(|row| row.names == 1.0));
}
