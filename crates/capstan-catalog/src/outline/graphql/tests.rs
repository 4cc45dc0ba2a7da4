//! Which cards outlines of GraphQL operations become.

use capstan_core::card::{Card, FieldMapping};
use capstan_core::expr::Expr;

use crate::load::parse_yaml;
use crate::outline::Outline;

/// Returns the card `x.view` of an outline without its description and source, or what is wrong with it.
fn try_card_of(lines: &str) -> Result<Card, String> {
    let outline: Outline = parse_yaml(&format!("description: X.\nsource: x\n{lines}\n")).unwrap();
    crate::outline::card_of("x.view", &outline)
}

fn card_of(lines: &str) -> Card {
    try_card_of(lines).unwrap()
}

#[track_caller]
fn assert_expr(found: &Expr, expected: &str) {
    assert_eq!(*found, Expr::parse(expected).unwrap());
}

const TRANSFER: &str = r#"call: mutation transferIssue(input)
input: { owner: string, repo: string, issue_number: integer, to_owner: string, to_repo: string, labels?: [string], milestone?: integer }
resolve: { issue: { at: "repository(owner: $owner, name: $repo).issue(number: $issue_number)" }, to_repository: { at: "repository(owner: $to_owner, name: $to_repo)", noun: repository }, labels: { at: "repository(owner: $owner, name: $repo).labels(first: 9).nodes", each: labels, pick: name == $item, reads: [name], noun: label }, milestone: { at: "repository(owner: $owner, name: $repo).milestone(number: $item)", each: milestone } }
send: { issueId: ID! = $issue.id, repositoryId: ID! = $to_repository.id, labelIds: "[ID!] = $labels[].id", milestoneId: "ID = $milestone[0].id", createdAt: DateTime }
at: issue
output: { number: integer, created_at: string, repository: string = repository.nameWithOwner, labels: "[string] = labels(first: 9).nodes[].name", "comment = comments.last": { id: string } }"#;

fn document(card: &Card) -> &str {
    &card.graphql.as_ref().unwrap().document.text
}

#[test]
fn a_mutation_asks_for_what_it_shows() {
    let card = card_of(TRANSFER);
    assert_eq!(
        document(&card),
        "mutation XView($issueId: ID!, $repositoryId: ID!, $labelIds: [ID!], $milestoneId: ID, $createdAt: DateTime) \
         { transferIssue(input: {issueId: $issueId, repositoryId: $repositoryId, labelIds: $labelIds, \
         milestoneId: $milestoneId, createdAt: $createdAt}) { issue { number createdAt repository { nameWithOwner } \
         labels(first: 9) { nodes { name } } comments { last { id } } } } }"
    );
    let route = card.graphql.as_ref().unwrap();
    assert_eq!(
        route.output.root.as_ref().unwrap().to_string(),
        "transferIssue"
    );
    let read = Expr::parse("issue.createdAt").unwrap();
    assert_eq!(route.output.fields["created_at"], FieldMapping::Value(read));
    assert_expr(&route.variables["repositoryId"], "$to_repository.id");
    assert_expr(&route.variables["createdAt"], "$input.created_at");
    assert_eq!(
        card.line.positional,
        ["issue_number", "to_owner", "to_repo"]
    );
    assert!(card.cli.is_some() && card.rest.is_none());
}

#[test]
fn ids_are_looked_up_by_the_inputs_that_name_them() {
    let card = card_of(TRANSFER);
    let lookups = card.graphql.unwrap().resolve;
    let text = |name: &str| lookups[name].document.text.clone();
    assert_eq!(
        text("issue"),
        "query LookupIssue($owner: String!, $repo: String!, $issue_number: Int!) \
         { repository(owner: $owner, name: $repo) { issue(number: $issue_number) { id } } }"
    );
    assert_eq!(
        text("to_repository"),
        "query LookupToRepository($to_owner: String!, $to_repo: String!) \
         { repository(owner: $to_owner, name: $to_repo) { id } }"
    );
    assert!(text("labels").contains("labels(first: 9) { nodes { id name } }"));
    assert!(text("milestone").contains("$item: Int!"));
    assert_expr(lookups["labels"].each.as_ref().unwrap(), "$input.labels");
    let milestone = lookups["milestone"].each.as_ref().unwrap();
    assert_expr(milestone, "$input.milestone | list");
    assert_eq!(lookups["issue"].each, None);
    assert!(lookups["labels"].pick.is_some());
}

#[test]
fn a_query_is_read_at_its_root_and_in_pages() {
    let card = card_of(
        "call: query products\ninput: { query?: string }\nsend: { first: Int, after: String, query: String }\n\
         pages: cursor\nat: nodes\ntotal: totalCount\nrows: { id: string }\nservice: shop",
    );
    assert_eq!(
        document(&card),
        "query XView($first: Int, $after: String, $query: String) { products(first: $first, after: $after, \
         query: $query) { nodes { id } pageInfo { hasNextPage endCursor } totalCount } }"
    );
    let route = card.graphql.as_ref().unwrap();
    let pagination = route.pagination.as_ref().unwrap();
    assert_expr(&pagination.end_cursor, "products.pageInfo.endCursor");
    assert_eq!(route.max_page_size, Some(100));
    assert_eq!(card.list.as_ref().unwrap().field, "products");
    assert!(card.is_paged() && card.cli.is_none());
}

#[test]
fn answers_without_fields_have_a_document_too() {
    let nothing = card_of("call: mutation stop(input)\nanswer: nothing");
    assert_eq!(
        document(&nothing),
        "mutation XView { stop(input: {}) { __typename } }"
    );
    let number = card_of("call: query count\nanswer: any");
    assert_eq!(document(&number), "query XView { count }");
}

#[test]
fn what_is_wrong_with_an_outline_is_said() {
    for (lines, said) in [
        (
            "call: query x\noutput: { a: string = b..c }",
            "a: `b..c` is not a place in an answer",
        ),
        (
            "call: query x\nrows: string",
            "the rows of a GraphQL operation are objects",
        ),
        ("call: query x", "expected exactly one of"),
        (
            "call: mutation x\nanswer: nothing\nresolve: { it: { at: 'user(login: $login)' } }",
            "it: there is no input `login`",
        ),
        (
            "call: mutation x\nanswer: nothing\nresolve: { it: { at: 'user(login: $item)' } }",
            "it: `$item` needs `each`",
        ),
        (
            "call: mutation x\nanswer: nothing\nsend: { a: 'ID! = $it.' }",
            "expected a field name",
        ),
    ] {
        let problem = try_card_of(lines).unwrap_err();
        assert!(problem.contains(said), "{lines}: {problem}");
    }
}
