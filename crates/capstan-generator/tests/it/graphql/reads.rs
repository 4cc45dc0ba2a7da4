//! Root fields that read.

use capstan_catalog::outline::{AnswerKind, Pages};

use super::support::{only, outlines, text};

#[test]
fn an_object_keeps_what_tells_what_it_is() {
    let outline = only("type Query { shop(at: Int = 3, old: Int @deprecated): Shop! }
        type Shop { id: ID! name: String! old: Int @deprecated owner: Owner! with(a: Int!): Int and: Int deep: Deep }
        type Owner { login: String! } type Deep { deeper: Deeper count: Int } type Deeper { name2: String }");
    assert_eq!(outline.call, "query shop");
    assert_eq!(outline.description, "Shop.");
    assert_eq!(text(&outline.input), r#"{"at?":"integer"}"#);
    assert_eq!(text(&outline.send), r#"{"at":"Int"}"#);
    assert_eq!(
        text(&outline.output),
        r#"{"id":"string","name":"string","owner":"string = owner.login","deep":{"count":"integer"}}"#
    );
}

#[test]
fn a_list_with_pages_has_pages() {
    let outline = only("type Query { products(first: Int, after: String, last: Int, before: String, query: String): ProductConnection! }
        type ProductConnection { nodes: [Product!]! pageInfo: PageInfo! totalCount: Int! edges: [Edge] }
        type Edge { node: Product } type Product { id: ID! price: Money } type Money { amount: Decimal! }
        scalar Decimal type PageInfo { hasNextPage: Boolean! endCursor: String }");
    assert_eq!(outline.pages, Some(Pages::Cursor));
    assert_eq!(outline.at.as_deref(), Some("nodes"));
    assert_eq!(outline.total.as_deref(), Some("totalCount"));
    assert_eq!(text(&outline.input), r#"{"query?":"string"}"#);
    assert_eq!(
        text(&outline.send),
        r#"{"first":"Int","after":"String","query":"String"}"#
    );
    assert_eq!(
        text(&outline.rows),
        r#"{"id":"string","price":{"amount":"any"}}"#
    );
}

#[test]
fn a_list_with_edges_only_has_pages_too() {
    let outline = only(
        "type Query { orders(first: Int!, after: String): Orders! }
        type Orders { edges: [OrderEdge!]! pageInfo: PageInfo! } type OrderEdge { node: Order! }
        type Order { name: String! } type PageInfo { hasNextPage: Boolean! endCursor: String }",
    );
    assert_eq!(outline.at.as_deref(), Some("edges[].node"));
    assert_eq!(outline.pages, Some(Pages::Cursor));
    assert_eq!(outline.total, None);
}

#[test]
fn values_of_several_types_have_what_is_common() {
    let outline = only(
        "type Query { find: Result } union Result = A | B
        type A { id: ID! title: String! size: Int! } type B { id: ID! title: String size: Int! }",
    );
    // `title` may be null in one of them, so one document cannot ask both for it.
    assert_eq!(
        text(&outline.output),
        r#"{"id":"string = <A|B>.id","type":"string = __typename","size":"integer = <A|B>.size"}"#
    );
    let outline = only("type Query { node: Node } interface Node { id: ID! }
        type A implements Node { id: ID! name: String } type B implements Node { id: ID! name: String }");
    assert_eq!(
        text(&outline.output),
        r#"{"id":"string","name":"string = <A|B>.name","type":"string = __typename"}"#
    );
}

#[test]
fn other_answers_are_kept_as_they_are() {
    let outlines = outlines("type Query { count: Int! names: [String!]! matrix: [[Item]] items: [Item!]! nothing: Empty }
        type Item { id: ID! tags: [String!]! self: Item } type Empty { with(a: Int!): Int }");
    let answer = |id: &str| outlines[id].answer;
    assert_eq!(answer("shop.count"), Some(AnswerKind::Any));
    assert_eq!(answer("shop.names"), Some(AnswerKind::Any));
    assert_eq!(answer("shop.nothing"), Some(AnswerKind::Nothing));
    assert_eq!(
        text(&outlines["shop.items"].rows),
        r#"{"id":"string","tags":"[string]","self":{"id":"string","tags":"[string]"}}"#
    );
}

#[test]
fn a_list_of_texts_with_pages_is_a_list() {
    let outline = only(
        "type Query { tags(first: Int!): Tags! } type Tags { edges: [TagEdge!]! } type TagEdge { node: String! }",
    );
    assert_eq!(text(&outline.input), r#"{"first":"integer"}"#);
    assert_eq!(
        text(&outline.output),
        r#"{"tags":"[string] = edges[].node"}"#
    );
}
