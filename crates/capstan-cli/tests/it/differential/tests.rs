//! One test for each card, so that they run side by side and fail apart.

use capstan_catalog::Catalog;

use super::{check, coverage};

macro_rules! cards {
    ($($test:ident => $card:literal),* $(,)?) => {
        $(
            #[tokio::test]
            async fn $test() {
                same_on_every_route($card).await;
            }
        )*

        #[test]
        fn every_card_has_a_test() {
            let tested = [$($card),*];
            let catalog = Catalog::new(&capstan_cards::CARDS);
            let has_routes = |id: &&str| coverage::has_routes_to_compare(&catalog.get(id).unwrap());
            let cards: Vec<_> = capstan_cards::CARDS.iter().map(|card| card.id).filter(has_routes).collect();
            assert_eq!(cards, tested, "one line for each card, in the order of their ids");
        }
    };
}

cards! {
    issue_assignees_add => "issue.assignees.add",
    issue_assignees_remove => "issue.assignees.remove",
    issue_close => "issue.close",
    issue_comments_create => "issue.comments.create",
    issue_comments_list => "issue.comments.list",
    issue_create => "issue.create",
    issue_labels_add => "issue.labels.add",
    issue_labels_remove => "issue.labels.remove",
    issue_list => "issue.list",
    issue_milestone_set => "issue.milestone.set",
    issue_reopen => "issue.reopen",
    issue_update => "issue.update",
    issue_view => "issue.view",
    pr_checks_list => "pr.checks.list",
    pr_comments_create => "pr.comments.create",
    pr_create => "pr.create",
    pr_list => "pr.list",
    pr_merge => "pr.merge",
    pr_reviews_list => "pr.reviews.list",
    pr_reviews_submit => "pr.reviews.submit",
    pr_threads_list => "pr.threads.list",
    pr_threads_reply => "pr.threads.reply",
    pr_threads_resolve => "pr.threads.resolve",
    pr_view => "pr.view",
    release_list => "release.list",
    repo_labels_list => "repo.labels.list",
    repo_milestones_list => "repo.milestones.list",
    repo_view => "repo.view",
    workflow_runs_list => "workflow.runs.list",
}

async fn same_on_every_route(card: &str) {
    let cases = coverage::all_cases();
    let mut cases = cases.iter().filter(|case| case.card == card).peekable();
    assert!(cases.peek().is_some(), "{card} has no case");
    let mut problems = Vec::new();
    for case in cases {
        problems.extend(check::check(case).await);
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
