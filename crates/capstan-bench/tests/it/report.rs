//! Measurements and their reports.

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
    insta::assert_json_snapshot!(report().json(None));
}

#[test]
fn one_part_as_json() {
    let (one, each) = (report().json(Some(Part::Tune)), report().json(None));
    let parts = one["sources"][0]["parts"].as_object().unwrap();
    assert_eq!(parts.keys().collect::<Vec<_>>(), ["tune"]);
    assert_eq!(parts["tune"], each["sources"][0]["parts"]["tune"]);
    assert_eq!(one["confidence"].as_object().unwrap().len(), 1);
}

#[test]
fn sources_without_foreign_queries_have_no_false_alarms() {
    let mut report = report();
    for (_, confidence) in &mut report.confidence {
        confidence.foreign = 0;
    }
    let table = report.table(Part::All);
    assert!(table.ends_with("% of what is right has it\n"), "{table}");
}

#[test]
fn a_hybrid_result_below_the_better_single_method_is_marked() {
    let mut report = report();
    for row in &mut report.rows {
        row.margins
            .iter_mut()
            .for_each(|(_, it)| it.difference = 0.0);
    }
    let table = report.table(Part::All);
    assert!(table.contains("hybrid is nowhere below the better single method"));
    assert!(!table.contains(" below\n"), "{table}");
    for (_, margin) in &mut report.rows[1].margins {
        (margin.difference, margin.interval) = (-0.034, 0.116);
    }
    let table = report.table(Part::All);
    assert!(table.contains("  -3.4 ± 11.6 below\n"), "{table}");
    let summary = "hybrid is below the better single method in 1 of 6 rows: metatool\n";
    assert!(table.contains(summary), "{table}");
    let margin = &report.json(None)["sources"][1]["parts"]["all"]["margin"];
    assert_eq!(margin["is_below"], true);
    assert_eq!(
        (&margin["recall_5"], &margin["interval_95"]),
        (&(-0.034).into(), &0.116.into())
    );
}

#[test]
fn as_an_svg_chart() {
    let svg = report().svg(Part::All);
    let document = roxmltree::Document::parse(&svg).unwrap();
    let bars = document.descendants().filter(|it| {
        let class = it.attribute("class").unwrap_or_default();
        it.has_tag_name("rect") && class.starts_with('m')
    });
    // Three bars for each source, by itself and in the pool of all, and three in the legend.
    assert_eq!(bars.count(), 21);
    assert_eq!(svg, report().svg(Part::All));
    insta::assert_snapshot!(svg);
}

#[test]
fn names_are_always_found() {
    assert!(
        report()
            .rows
            .iter()
            .all(|row| row.names.is_none_or(|it| it == 1.0))
    );
}
