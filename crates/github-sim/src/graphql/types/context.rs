//! What resolvers look at, and what several of them need.

use crate::graphql::answer::Val;
use crate::world::{Located, User, Viewer, World};

/// What a resolver may look at.
#[derive(Clone, Copy)]
pub(in crate::graphql) struct Context<'c> {
    pub(in crate::graphql) world: &'c World,
    pub(in crate::graphql) viewer: &'c Viewer,
}

/// The account of a login, or null for a deleted one.
pub(super) fn actor(context: &Context<'_>, login: &str) -> Val {
    context.world.user(login).map(User::place).into()
}

/// The people among these accounts.
pub(super) fn actors<'l>(
    context: &Context<'_>,
    logins: impl IntoIterator<Item = &'l String>,
) -> Vec<Val> {
    logins
        .into_iter()
        .map(|login| actor(context, login))
        .filter(|value| matches!(value, Val::Node(Located::User(_))))
        .collect()
}

/// Plain text as HTML, in one paragraph.
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
