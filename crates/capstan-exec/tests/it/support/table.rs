//! Tables of chains: each row is a chain, what it sends, and how its steps end. All rows that differ are shown.

use super::bench::Bench;
use super::ran::Ran;
use super::steps::Step;

pub(crate) struct Row {
    what: &'static str,
    bench: Bench,
    steps: Vec<Step>,
    sent: &'static str,
    ends: &'static str,
}

pub(crate) fn row<const N: usize>(
    what: &'static str,
    bench: Bench,
    steps: [Step; N],
    sent: &'static str,
    ends: &'static str,
) -> Row {
    Row {
        what,
        bench,
        steps: steps.into(),
        sent,
        ends,
    }
}

/// Runs every row and compares what was sent, and how the steps ended.
pub(crate) fn check(rows: impl IntoIterator<Item = Row>) {
    compare(rows, Ran::sent);
}

/// The same for requests with the seconds at which they left.
pub(crate) fn check_timed(rows: impl IntoIterator<Item = Row>) {
    compare(rows, Ran::timed);
}

fn compare(rows: impl IntoIterator<Item = Row>, sent: impl Fn(&Ran) -> String) {
    let mut differences = String::new();
    for row in rows {
        let ran = row.bench.run(&row.steps);
        let (sent, ends) = (sent(&ran), ran.ends());
        if (sent.as_str(), ends.as_str()) != (row.sent, row.ends) {
            let Row {
                what,
                sent: expected_sent,
                ends: expected_ends,
                ..
            } = row;
            differences.push_str(&format!(
                "\n{what}\n  expected {expected_sent}\n       was {sent}\n  expected {expected_ends}\n       was {ends}\n"
            ));
        }
    }
    assert!(differences.is_empty(), "{differences}");
}

/// Returns texts as faults want them.
pub(crate) fn labels(labels: &[&str]) -> Vec<String> {
    labels.iter().map(|it| (*it).to_owned()).collect()
}
