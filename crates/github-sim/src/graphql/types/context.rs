//! The context of resolvers, and helpers that several of them use.

use crate::graphql::value::FieldValue;
use crate::world::{Located, User, Viewer, World};

/// The world and the viewer of a request.
#[derive(Clone, Copy)]
pub(in crate::graphql) struct Context<'c> {
    pub(in crate::graphql) world: &'c World,
    pub(in crate::graphql) viewer: &'c Viewer,
}

/// Returns the account with this login; null if it was deleted.
pub(super) fn actor(context: &Context<'_>, login: &str) -> FieldValue {
    context.world.user(login).map(User::location).into()
}

/// Returns the accounts with these logins, without apps and deleted accounts.
pub(super) fn actors<'l>(
    context: &Context<'_>,
    logins: impl IntoIterator<Item = &'l String>,
) -> Vec<FieldValue> {
    logins
        .into_iter()
        .map(|login| actor(context, login))
        .filter(|value| matches!(value, FieldValue::Node(Located::User(_))))
        .collect()
}

/// Converts plain text to a paragraph of HTML.
pub(super) fn html(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let escaped = text
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    format!("<p dir=\"auto\">{escaped}</p>")
}
