//! How many requests a chain takes. The simulator counts them.

use capstan_core::{ChainResultEnvelope, ChainStatus, ChainStep};
use github_sim::{Fault, FaultKind};
use serde_json::json;

use super::bench::Bench;
use super::cards;
use super::steps::{
    assert_all_ok, close, codes, comment, create, exactly, named, reopen, step, view,
};
use super::world::{comments_saying, is_closed, node_id, open_issues, portrait};

#[tokio::test]
async fn twenty_writes_that_look_nothing_up_are_one_request() {
    let bench = Bench::with_cards(vec![cards::remark()]).await;
    let id = node_id(&bench.sim, 1);
    let remark = |index| {
        exactly(
            "remark.create",
            &json!({"id": id, "body": format!("{index}")}),
        )
    };
    let ran = bench.run(&(0..20).map(remark).collect::<Vec<_>>()).await;
    expect(&bench, &ran, (0, 1), 1);
}

#[tokio::test]
async fn twenty_writes_with_cold_lookups_are_two_requests() {
    let bench = Bench::demo().await;
    let issues = open_issues(&bench.sim);
    let steps: Vec<_> = issues.iter().take(20).map(|issue| close(*issue)).collect();
    let ran = bench.run(&steps).await;
    expect(&bench, &ran, (1, 1), 2);
    for issue in issues.iter().take(20) {
        assert!(is_closed(&bench.sim, *issue), "{issue}");
    }
    let write = &bench.writes()[0];
    assert_eq!(write.root_fields, vec!["closeIssue"; 20]);
    assert_eq!(write.applied_fields, write.aliases);
}

#[tokio::test]
async fn what_a_cache_knows_is_not_asked_again() {
    let bench = Bench::demo().await;
    let creations = |from: usize| -> Vec<_> {
        (from..from + 20)
            .map(|index| create(&format!("Issue {index}")))
            .collect()
    };
    expect(&bench, &bench.run(&creations(0)).await, (1, 1), 2);
    bench.clear();
    expect(&bench, &bench.run(&creations(20)).await, (0, 1), 1);
    // A run of its own knows it too, and what it knows a chain knows.
    bench.clear();
    assert!(bench.run_alone(&create("Alone")).await.ok);
    assert_eq!(bench.counts(), (0, 1));
}

#[tokio::test]
async fn a_single_run_warms_the_cache_for_a_chain() {
    let bench = Bench::demo().await;
    assert!(bench.run_alone(&create("Alone")).await.ok);
    bench.clear();
    expect(
        &bench,
        &bench.run(&[create("a"), create("b")]).await,
        (0, 1),
        1,
    );
}

#[tokio::test]
async fn twenty_reads_are_one_request() {
    let bench = Bench::demo().await;
    let issues = open_issues(&bench.sim);
    let steps: Vec<_> = issues.iter().take(20).map(|issue| view(*issue)).collect();
    let ran = bench.run(&steps).await;
    expect(&bench, &ran, (1, 0), 1);
    for (issue, result) in issues.iter().zip(&ran.results) {
        assert_eq!(result.data.as_ref().unwrap()["number"], *issue);
    }
}

#[tokio::test]
async fn reads_before_the_first_write_leave_beside_it_and_the_others_together() {
    let bench = Bench::demo().await;
    assert!(bench.run_alone(&create("To warm the cache")).await.ok);
    bench.clear();
    let steps: Vec<_> = (1..=10)
        .flat_map(|index| [view(1), create(&format!("Issue {index}")), view(2)])
        .collect();
    // So long that both are under way, however busy the machine is.
    bench
        .sim
        .inject(Fault::always(FaultKind::Latency { ms: 300 }));
    let ran = bench.run(&steps).await;
    expect(&bench, &ran, (2, 1), 3);
    let seen = bench.sim.requests();
    assert!(seen[0].overlaps(&seen[1]), "{seen:?}");
    let sent = bench.sent.all();
    assert!(sent[0].overlaps(&sent[1]), "{sent:?}");
}

#[tokio::test]
async fn reads_travel_with_the_lookups_of_writes() {
    let bench = Bench::demo().await;
    let issues = open_issues(&bench.sim);
    let steps: Vec<_> = issues
        .iter()
        .take(10)
        .flat_map(|issue| [view(*issue), close(*issue)])
        .collect();
    let ran = bench.run(&steps).await;
    // The first view and all lookups, then the writes, then the other views.
    expect(&bench, &ran, (2, 1), 3);
    assert_eq!(bench.sim.requests()[0].root_fields.len(), 11);
    let states: Vec<_> = ran
        .results
        .iter()
        .filter(|it| it.task == "issue.view")
        .map(|it| it.data.as_ref().unwrap()["state"].clone())
        .collect();
    assert_eq!(
        states[0], "open",
        "the first is read beside the writes or before"
    );
}

/// `issue.list` after `issue.close` once showed the closed issue as open.
#[tokio::test]
async fn a_read_sees_the_writes_that_are_listed_before_it() {
    let bench = Bench::demo().await;
    let issues = open_issues(&bench.sim);
    let (first, second) = (issues[0], issues[1]);
    let list = || step("issue.list", json!({"first": 100}));
    let steps = [
        list(),
        close(first),
        list(),
        view(first),
        close(second),
        list(),
    ];
    let ran = bench.run(&steps).await;
    // The first list and the lookups, both writes, then the other reads.
    expect(&bench, &ran, (2, 1), 3);
    let lists = |index: usize, issue: u64| {
        let rows = ran.results[index].data.as_ref().unwrap()["issues"].clone();
        rows.as_array()
            .unwrap()
            .iter()
            .any(|it| it["number"] == issue)
    };
    assert!(!lists(2, first) && !lists(5, first) && !lists(5, second));
    assert_eq!(ran.results[3].data.as_ref().unwrap()["state"], "closed");
}

/// A write that uses what a read found is not held up by reads that wait for it, nor the other way round.
#[tokio::test]
async fn reads_that_writes_refer_to_do_not_wait_for_other_reads() {
    let bench = Bench::demo().await;
    let issues = open_issues(&bench.sim);
    let steps = [
        close(issues[0]),
        named("seen", view(issues[1])),
        step(
            "issue.comments.create",
            json!({"issue_number": issues[2], "body": "$seen.data.title"}),
        ),
        view(issues[2]),
    ];
    let ran = bench.run(&steps).await;
    assert_all_ok(&ran);
    let said = &portrait(&bench.sim)[&issues[2]].comments;
    let title = &ran.results[1].data.as_ref().unwrap()["title"];
    assert_eq!(said.last().map(String::as_str), title.as_str());
    assert_eq!(
        ran.results[3].data.as_ref().unwrap()["comments"],
        said.len()
    );
}

#[tokio::test]
async fn what_is_asked_twice_is_sent_once() {
    let bench = Bench::demo().await;
    let comments = |index| comment(1, &format!("Remark {index}"));
    let ran = bench.run(&(0..20).map(comments).collect::<Vec<_>>()).await;
    expect(&bench, &ran, (1, 1), 2);
    let seen = bench.sim.requests();
    assert_eq!(seen[0].root_fields.len(), 1, "one lookup for all");
    assert_eq!(seen[1].root_fields.len(), 20, "but every comment by itself");

    bench.clear();
    let ran = bench.run(&[view(1), view(2), view(1), view(1)]).await;
    expect(&bench, &ran, (1, 0), 1);
    assert_eq!(bench.sim.requests()[0].root_fields.len(), 2);
    assert_eq!(ran.results[0].data, ran.results[3].data);
    assert_ne!(ran.results[0].data, ran.results[1].data);
}

/// To say the same twice is to say it twice.
#[tokio::test]
async fn alike_writes_are_each_done() {
    let bench = Bench::demo().await;
    let ran = bench.run(&vec![comment(1, "Again"); 3]).await;
    expect(&bench, &ran, (1, 1), 2);
    assert_eq!(comments_saying(&bench.sim, 1, "Again"), 3);
}

/// What may change is looked up for every chain anew.
#[tokio::test]
async fn an_engine_does_not_remember_states() {
    let bench = Bench::demo().await;
    for closes in [true, false, true, false] {
        let write = if closes { close } else { reopen };
        let ran = bench.run(&[write(1), write(2)]).await;
        assert_all_ok(&ran);
        assert_eq!(ran.results[0].data.as_ref().unwrap()["changed"], true);
        assert_eq!(is_closed(&bench.sim, 1), closes);
    }
}

#[tokio::test]
async fn alike_reads_with_other_options_are_shaped_each_in_its_own_way() {
    let bench = Bench::demo().await;
    let mut short = view(1);
    short.request.options.fields = Some(vec!["number".to_owned()]);
    let ran = bench.run(&[view(1), short]).await;
    expect(&bench, &ran, (1, 0), 1);
    assert_eq!(ran.results[1].data, Some(json!({"number": 1})));
    assert_ne!(ran.results[0].data, ran.results[1].data);
}

#[tokio::test]
async fn of_thirty_reads_three_are_not_there() {
    let bench = Bench::demo().await;
    let mut steps: Vec<_> = (0..30)
        .map(|index| view(open_issues(&bench.sim)[index % 25]))
        .collect();
    for missing in [0, 14, 29] {
        steps[missing] = view(4711);
    }
    let ran = bench.run(&steps).await;
    assert_eq!(bench.counts(), (1, 0));
    assert_eq!(ran.status, ChainStatus::Partial);
    assert_eq!(
        (ran.meta.total, ran.meta.succeeded, ran.meta.failed),
        (30, 27, 3)
    );
    for (index, code) in codes(&ran).iter().enumerate() {
        let missing = [0, 14, 29].contains(&index);
        assert_eq!(code == "NOT_FOUND", missing, "{index}: {code}");
        assert_eq!(code == "ok", !missing, "{index}: {code}");
    }
}

#[tokio::test]
async fn steps_without_graphql_run_beside_the_batch() {
    let bench = Bench::with_cards(vec![cards::readme(), cards::state_over_rest()]).await;
    let set = |issue: u64| {
        step(
            "state.set",
            json!({"issue_number": issue, "state": "closed"}),
        )
    };
    let steps = [
        view(1),
        step("readme.view", json!({})),
        set(1),
        view(2),
        set(2),
    ];
    let ran = bench.run(&steps).await;
    // A batch and a read over REST, the writes one after the other, and the read between them.
    expect(&bench, &ran, (3, 2), 5);
    let sent = bench.sent.all();
    let writes: Vec<_> = sent.iter().filter(|it| it.is_write()).collect();
    assert!(!writes[0].overlaps(writes[1]), "{writes:?}");
    assert!(is_closed(&bench.sim, 1) && is_closed(&bench.sim, 2));
}

#[tokio::test]
async fn one_step_is_a_chain_too() {
    let bench = Bench::demo().await;
    let ran = bench.run(&[view(1)]).await;
    expect(&bench, &ran, (1, 0), 1);
    let alone = bench.run_alone(&view(1)).await;
    assert_eq!(ran.results[0].data, alone.data);
}

#[tokio::test]
async fn results_have_the_names_and_the_order_of_the_steps() {
    let bench = Bench::demo().await;
    let steps: Vec<ChainStep> = vec![named("last", view(3)), close(5), named("first", view(1))];
    let ran = bench.run(&steps).await;
    assert_all_ok(&ran);
    let told: Vec<_> = ran
        .results
        .iter()
        .map(|it| (it.task.as_str(), it.name.as_deref()))
        .collect();
    assert_eq!(
        told,
        [
            ("issue.view", Some("last")),
            ("issue.close", None),
            ("issue.view", Some("first"))
        ]
    );
}

/// Everything went well, in so many reads and writes, which the envelope also says.
fn expect(bench: &Bench, ran: &ChainResultEnvelope, counts: (usize, usize), chunks: usize) {
    assert_all_ok(ran);
    assert_eq!(ran.status, ChainStatus::Success);
    assert_eq!(bench.counts(), counts);
    assert_eq!(ran.meta.requests, counts.0 + counts.1);
    assert_eq!(ran.meta.chunks, chunks);
    assert_eq!((ran.meta.total, ran.meta.failed), (ran.results.len(), 0));
}
