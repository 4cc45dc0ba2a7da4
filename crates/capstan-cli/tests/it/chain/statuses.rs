//! How a chain went as a whole: every combination of how its reads and its writes went.

use capstan_core::{ChainStatus, ChainStep};

use super::bench::Bench;
use super::steps::{close, codes, comment, outcome, view};

/// Of some steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Went {
    AllOk,
    SomeFailed,
    AllFailed,
}

use Went::{AllFailed, AllOk, SomeFailed};

/// A chain has none of these, or three that go as said.
type Some3 = Option<Went>;

const MISSING: u64 = 4711;

#[tokio::test]
async fn every_combination_says_how_it_went() {
    let table: [(Some3, Some3, ChainStatus); 15] = [
        (Some(AllOk), None, ChainStatus::Success),
        (Some(SomeFailed), None, ChainStatus::Partial),
        (Some(AllFailed), None, ChainStatus::Failed),
        (None, Some(AllOk), ChainStatus::Success),
        (None, Some(SomeFailed), ChainStatus::Partial),
        (None, Some(AllFailed), ChainStatus::Failed),
        (Some(AllOk), Some(AllOk), ChainStatus::Success),
        (Some(AllOk), Some(SomeFailed), ChainStatus::Partial),
        (Some(AllOk), Some(AllFailed), ChainStatus::Partial),
        (Some(SomeFailed), Some(AllOk), ChainStatus::Partial),
        (Some(SomeFailed), Some(SomeFailed), ChainStatus::Partial),
        (Some(SomeFailed), Some(AllFailed), ChainStatus::Partial),
        (Some(AllFailed), Some(AllOk), ChainStatus::Partial),
        (Some(AllFailed), Some(SomeFailed), ChainStatus::Partial),
        (Some(AllFailed), Some(AllFailed), ChainStatus::Failed),
    ];
    for (reads, writes, status) in table {
        check(reads, writes, status).await;
    }
}

async fn check(reads: Some3, writes: Some3, status: ChainStatus) {
    let case = format!("reads {reads:?}, writes {writes:?}");
    let bench = Bench::demo().await;
    // Reads and writes take turns, so that results are told apart by their place.
    let mut steps: Vec<ChainStep> = Vec::new();
    let mut expected = Vec::new();
    for index in 0..3 {
        if let Some(went) = reads {
            let fails = fails(went, index);
            steps.push(view(if fails { MISSING } else { 1 + index }));
            expected.push(fails);
        }
        if let Some(went) = writes {
            let fails = fails(went, index);
            let issue = if fails { MISSING } else { 1 + index };
            steps.push(match index {
                1 => comment(issue, "A remark"),
                _ => close(issue),
            });
            expected.push(fails);
        }
    }
    let ran = bench.run(&steps).await;
    let codes = codes(&ran);
    for ((fails, code), result) in expected.iter().zip(&codes).zip(&ran.results) {
        let wanted = if *fails { "NOT_FOUND" } else { "ok" };
        assert_eq!(code, wanted, "{case}: {codes:?}");
        let write = *fails && result.task != "issue.view";
        let known = if write { "not_applied" } else { "-" };
        assert_eq!(outcome(result), known, "{case}: {result:?}");
        assert_eq!(result.data.is_some(), result.ok, "{case}: {result:?}");
    }
    let failed = expected.iter().filter(|fails| **fails).count();
    let meta = (ran.meta.total, ran.meta.succeeded, ran.meta.failed);
    assert_eq!(meta, (steps.len(), steps.len() - failed, failed), "{case}");
    assert_eq!(ran.status, status, "{case}");
    // One for the first read and the lookups, one for the writes whose lookups found something, and one for the reads
    // after the first write.
    let sent = usize::from(writes.is_some_and(|went| went != AllFailed));
    let looked = 1 + usize::from(reads.is_some() && writes.is_some());
    assert_eq!(bench.counts(), (looked, sent), "{case}");
    assert_eq!(ran.meta.requests, looked + sent, "{case}");
}

fn fails(went: Went, index: u64) -> bool {
    match went {
        AllOk => false,
        SomeFailed => index == 1,
        AllFailed => true,
    }
}
