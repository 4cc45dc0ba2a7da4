//! Lists with pages: connections, as Relay specifies them.

use apollo_compiler::ast::FieldDefinition;

use super::operation::is_list;
use super::schema::GraphqlSchema;

/// A list with pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Connection {
    /// The place of the rows in it.
    pub(super) rows: &'static str,
    /// The type of a row.
    pub(super) row: String,
    pub(super) has_total: bool,
    pub(super) has_pages: bool,
}

impl Connection {
    /// Returns the list that a field is, if it is one with pages.
    pub(super) fn of(schema: &GraphqlSchema, field: &FieldDefinition) -> Option<Self> {
        let has = |name: &str| field.arguments.iter().any(|argument| argument.name == name);
        if !has("first") || is_list(&field.ty) {
            return None;
        }
        let ty = field.ty.inner_named_type().as_str();
        let list = |name: &str| {
            schema
                .own_field(ty, name)
                .filter(|field| is_list(&field.ty))
        };
        let (rows, row) = match (list("nodes"), list("edges")) {
            (Some(nodes), _) => ("nodes", nodes.ty.inner_named_type().to_string()),
            (None, Some(edges)) => {
                let edge = edges.ty.inner_named_type();
                let node = schema.own_field(edge, "node")?;
                ("edges[].node", node.ty.inner_named_type().to_string())
            }
            (None, None) => return None,
        };
        let page = schema.own_field(ty, "pageInfo");
        let page = page.map(|page| page.ty.inner_named_type().as_str());
        let has_in_page =
            |name: &str| page.is_some_and(|page| schema.own_field(page, name).is_some());
        Some(Self {
            rows,
            row,
            has_total: schema.own_field(ty, "totalCount").is_some(),
            has_pages: has("after") && has_in_page("hasNextPage") && has_in_page("endCursor"),
        })
    }
}

/// Returns the type of what an edge of a list leads to.
pub(super) fn node_of_edge<'a>(schema: &'a GraphqlSchema, ty: &str) -> Option<&'a str> {
    if !ty.ends_with("Edge") {
        return None;
    }
    let node = schema.own_field(ty, "node")?;
    Some(node.ty.inner_named_type().as_str())
}
