//! How much travels in one request: so many reads, writes, nodes and bytes. What is more goes into the next, in order.

use capstan_exec::ChunkLimits;

use crate::support::{Step, bench, check, list, read, read_rest, remark, row, write};

#[test]
fn requests_are_as_large_as_the_limits_say() {
    check([
        row(
            "reads",
            bench().chunks(2, 9),
            [read("a"), read("b"), read("c"), read("d"), read("e")],
            "q[a b] + q[c d] + q[e]",
            "ok ok ok ok ok",
        ),
        row(
            "writes",
            bench().chunks(9, 2),
            [write("a"), write("b"), write("c"), write("d"), write("e")],
            "m[a b] | m[c d] | m[e]",
            "ok ok ok ok ok",
        ),
        row(
            "as many as fit",
            bench().chunks(3, 3),
            [
                read("a"),
                read("b"),
                read("c"),
                write("d"),
                write("e"),
                write("f"),
            ],
            "m[d e f] + q[a b c]",
            "ok ok ok ok ok ok",
        ),
        row(
            "one each",
            bench().chunks(1, 1),
            [read("a"), read("b"), write("c"), write("d")],
            "m[c] + q[a] + q[b] + m[d]",
            "ok ok ok ok",
        ),
        row(
            "what is asked twice counts once",
            bench().chunks(2, 9),
            [read("a"), read("b"), read("a"), read("b")],
            "q[a b]",
            "ok ok ok ok",
        ),
        row(
            "lookups count as reads",
            bench().chunks(2, 9),
            [remark("a", "x"), remark("b", "x"), remark("c", "x")],
            "q[?a ?b] + q[?c] | m[a+x b+x c+x]",
            "ok ok ok",
        ),
    ]);
}

#[test]
fn without_limits_of_ones_own_fifty_reads_and_twenty_five_writes_travel_together() {
    let names: Vec<_> = (0..51).map(|it| format!("a{it}")).collect();
    let sizes = |steps: Vec<Step>| -> Vec<usize> {
        let ran = bench().run(&steps);
        assert_eq!(ran.chain_end().chunks, 2);
        ran.log.iter().map(|sent| sent.items.len()).collect()
    };
    assert_eq!(sizes(names.iter().map(|it| read(it)).collect()), [50, 1]);
    assert_eq!(
        sizes(names[..26].iter().map(|it| write(it)).collect()),
        [25, 1]
    );
}

/// Each row of a list asks for eleven nodes.
#[test]
fn requests_stay_below_the_limit_of_nodes() {
    let at_most = |nodes| {
        bench().limits(ChunkLimits {
            nodes,
            ..ChunkLimits::default()
        })
    };
    let lists = || [list("a", 10), list("b", 10), list("c", 10)];
    check([
        row("two", at_most(220), lists(), "q[a b] + q[c]", "ok ok ok"),
        row(
            "one",
            at_most(219),
            lists(),
            "q[a] + q[b] + q[c]",
            "ok ok ok",
        ),
        row("all", at_most(330), lists(), "q[a b c]", "ok ok ok"),
        row(
            "one that is too much by itself",
            at_most(10),
            lists(),
            "q[a] + q[b] + q[c]",
            "ok ok ok",
        ),
        row(
            "small ones fill up",
            at_most(220),
            [list("a", 10), list("b", 11), list("c", 9)],
            "q[a] + q[b c]",
            "ok ok ok",
        ),
    ]);
}

#[test]
fn requests_stay_below_the_limit_of_bytes() {
    let write = |name: &str| write(name);
    let graphql = write("a").card.graphql.clone().unwrap();
    let size = graphql.document.text.len() + r#"{"name":"a"}"#.len();
    let at_most = |bytes| {
        bench().limits(ChunkLimits {
            bytes,
            ..ChunkLimits::default()
        })
    };
    let writes = || [write("a"), write("b"), write("c"), write("d")];
    check([
        row(
            "two",
            at_most(2 * size),
            writes(),
            "m[a b] | m[c d]",
            "ok ok ok ok",
        ),
        row(
            "one",
            at_most(2 * size - 1),
            writes(),
            "m[a] | m[b] | m[c] | m[d]",
            "ok ok ok ok",
        ),
        row(
            "less than one",
            at_most(1),
            writes(),
            "m[a] | m[b] | m[c] | m[d]",
            "ok ok ok ok",
        ),
        row(
            "a large one",
            at_most(2 * size),
            [write("a"), write("a name that is longer"), write("b")],
            "m[a] | m[a name that is longer] | m[b]",
            "ok ok ok",
        ),
    ]);
}

#[test]
fn so_many_requests_are_under_way_at_once() {
    let names: Vec<_> = (0..12).map(|it| format!("a{it}")).collect();
    let most_at_once = |steps: Vec<Step>| {
        let ran = bench().chunks(1, 1).run(&steps);
        assert_eq!(ran.log.len(), 12);
        let under_way = |began| {
            ran.log
                .iter()
                .filter(|it| it.is_under_way_at(began))
                .count()
        };
        ran.log.iter().map(|sent| 1 + under_way(sent.began)).max()
    };
    assert_eq!(
        most_at_once(names.iter().map(|it| read(it)).collect()),
        Some(4)
    );
    assert_eq!(
        most_at_once(names.iter().map(|it| read_rest(it)).collect()),
        Some(8)
    );
    assert_eq!(
        most_at_once(names.iter().map(|it| write(it)).collect()),
        Some(1)
    );
}

#[test]
fn hundreds_of_steps_keep_their_order_and_progress_is_told() {
    let both = |it: usize| [remark("a", &it.to_string()), read(&format!("b{it}"))];
    let steps: Vec<Step> = (0..250).flat_map(both).collect();
    let ran = bench().timeout(1000).run(&steps);
    let expected: Vec<_> = (0..250).map(|it| it.to_string()).collect();
    assert_eq!(ran.remarks("a"), expected.join(" "));
    // One lookup for all, ten requests with writes, five with reads.
    assert_eq!((ran.chain_end().requests, ran.chain_end().chunks), (16, 16));
    let finished: Vec<_> = ran.progress.iter().map(|it| it.finished).collect();
    assert!(finished.is_sorted(), "{finished:?}");
    assert_eq!(finished.last(), Some(&500));
    assert!(ran.progress.iter().all(|it| it.total == 500));
}
