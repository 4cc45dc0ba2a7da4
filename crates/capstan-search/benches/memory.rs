//! Measures the memory of an index of a hundred thousand documents and the latency of searches. It
//! measures processor time, so the results are the same on a busy machine.
//!
//! `cargo bench -p capstan-search --bench memory`

#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a benchmark prints what it measured"
)]

mod catalogue;

use std::fs;
use std::time::Duration;

use capstan_search::{Index, Method, Query};
use rustix::time::{ClockId, clock_gettime};

const DOCUMENTS: usize = 100_000;
const QUERIES: usize = 2_000;

fn main() {
    let documents = catalogue::documents(DOCUMENTS);
    let vectors = catalogue::vectors(&documents);
    let before = resident();
    let start = processor();
    let index = catalogue::index(&documents, &vectors);
    let built = processor() - start;
    println!("{built:>9.1?}  to build {DOCUMENTS} documents");
    match resident().zip(before) {
        Some((after, before)) => println!("{:>6} MB  in memory", (after - before) / 1_000_000),
        None => println!("what it takes in memory is not told here"),
    }
    let start = processor();
    let bytes = index.to_bytes();
    let (written, start) = (processor() - start, processor());
    let again = Index::from_bytes(&bytes).expect("it was just made");
    let megabytes = bytes.len() / 1_000_000;
    println!(
        "{written:>9.0?}  to write {megabytes} MB, {:.0?} to read them",
        (processor() - start)
    );
    assert_eq!(again.len(), index.len());
    for method in [Method::Words, Method::Meaning, Method::Hybrid] {
        let mut times = latencies(&index, method);
        times.sort_unstable();
        let at = |share: usize| times[(times.len() - 1) * share / 1000];
        println!(
            "{:>9.1?}  median, {:.1?} of 99 %, {:.1?} at most: {method:?}",
            at(500),
            at(990),
            at(1000),
        );
    }
}

fn latencies(index: &Index, method: Method) -> Vec<Duration> {
    let queries = catalogue::queries(QUERIES);
    let times = queries.iter().map(|text| {
        let parts = index.parts(text);
        let vectors: Vec<_> = parts.iter().map(|it| catalogue::embed(it)).collect();
        let query = Query {
            text,
            vectors: &vectors,
            limit: 10,
            method,
            priors: &[],
        };
        let time = || {
            let start = processor();
            let found = index.search(&query, &|_, _| true);
            let time = processor() - start;
            assert!(found.is_ok_and(|found| found.len() <= 10));
            time
        };
        // The best of three, because other programs use the memory too.
        time().min(time()).min(time())
    });
    times.collect()
}

/// Returns the resident memory of this process in bytes, if the system reports it.
fn resident() -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kilobytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// Returns the processor time of this thread.
fn processor() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).expect("time does not go backwards")
}
