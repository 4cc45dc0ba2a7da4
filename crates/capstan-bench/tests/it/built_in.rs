//! Search among the built-in cards: what people wrote is found as well as without generated cards, and generated cards
//! are found too.

use capstan_bench::{GeneratedReport, Part, Query, QuerySet};
use capstan_catalog::Catalog;

/// One test, because measuring takes seconds. The floors of the long tail are a little below what was measured, so that
/// a few other descriptions do not break them.
#[test]
fn written_and_generated_cards_are_found_side_by_side() {
    let report = GeneratedReport::measure().unwrap();
    for queries in [QuerySet::Own, QuerySet::Peers] {
        let figures = |with_generated| {
            let figures = report.figures(queries, with_generated, Part::All);
            figures.unwrap()
        };
        let (alone, among) = (figures(false), figures(true));
        assert!(among.recall_1 >= alone.recall_1, "{queries:?} {among:?}");
        assert!(among.mrr >= alone.mrr, "{queries:?} {among:?}");
        // Words are rarer or more common among more cards, so a single query may fall out of the first five.
        let lost = (alone.recall_5 - among.recall_5) * among.queries as f64;
        assert!(lost < 1.5, "{queries:?} {alone:?} {among:?}");
    }
    let tail = report.figures(QuerySet::LongTail, true, Part::All).unwrap();
    assert!(tail.queries > 200, "{tail:?}");
    assert!(tail.recall_1 >= 0.62, "{tail:?}");
    assert!(tail.recall_5 >= 0.80, "{tail:?}");
    assert!(
        report
            .figures(QuerySet::LongTail, false, Part::All)
            .is_none()
    );
    assert_shown(&report);
}

fn assert_shown(report: &GeneratedReport) {
    let table = report.table(Part::All);
    assert_eq!(table.lines().count(), 6, "{table}");
    assert!(
        table.contains("long tail                     all cards"),
        "{table}"
    );
    let json = report.json(Some(Part::Tune));
    assert_eq!(json.as_array().unwrap().len(), 5);
    assert_eq!(json[4]["queries"], "long tail");
    assert!(json[4]["parts"]["tune"]["recall_5"].is_number(), "{json}");
    assert!(json[4]["parts"]["all"].is_null(), "{json}");
}

#[test]
fn each_query_of_the_long_tail_has_a_generated_card() {
    let catalog = Catalog::new(&capstan_cards::CARDS).with_generated(&capstan_cards::GENERATED);
    for query in Query::for_the_long_tail(&catalog.ids_by_source()).unwrap() {
        let mut ids = query.relevant.iter();
        assert!(ids.any(|id| catalog.is_generated(id)), "{query:?}");
    }
    for query in Query::for_written_cards().unwrap() {
        let mut ids = query.relevant.iter();
        assert!(ids.all(|id| !catalog.is_generated(id)), "{query:?}");
    }
}
