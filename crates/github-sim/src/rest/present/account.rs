//! Users and organisations.

use serde_json::{Value, json};

use super::view::API;
use crate::world::{NodeId, NodeKind, Organization, Owner, User, World, rest_time};

/// Id of the user `ghost`, whom GitHub shows as the author of everything a deleted account wrote.
const GHOST_ID: u64 = 10137;

/// Presents a user in the short form that other objects contain. A deleted or unknown user is shown as `ghost`.
pub(crate) fn user(world: &World, login: &str) -> Value {
    match world.user(login) {
        Some(user) if user.bot => bot(user),
        Some(user) => short("User", &user.login, user.id, NodeKind::User),
        None => short("User", "ghost", GHOST_ID, NodeKind::User),
    }
}

/// Presents the owner of a repository in the short form.
pub(crate) fn owner(world: &World, login: &str) -> Value {
    match world.owner(login) {
        Some(Owner::Organization(org)) => {
            short("Organization", &org.login, org.id, NodeKind::Organization)
        }
        _ => user(world, login),
    }
}

/// Presents a user in the long form of `GET /user` and `GET /users/{login}`.
pub(crate) fn public_user(user: &User) -> Value {
    let mut body = short("User", &user.login, user.id, NodeKind::User);
    body["name"] = json!(user.name);
    body["company"] = Value::Null;
    body["blog"] = json!("");
    body["location"] = Value::Null;
    body["email"] = json!(user.email);
    body["hireable"] = Value::Null;
    body["bio"] = json!(user.bio);
    body["twitter_username"] = Value::Null;
    body["public_repos"] = json!(0);
    body["public_gists"] = json!(0);
    body["followers"] = json!(0);
    body["following"] = json!(0);
    body["created_at"] = json!(rest_time(user.created_at));
    body["updated_at"] = json!(rest_time(user.created_at));
    body
}

/// Presents an organisation in the long form of `GET /orgs/{org}`.
pub(crate) fn organization(org: &Organization) -> Value {
    json!({
        "login": org.login,
        "id": org.id,
        "node_id": NodeId::new(NodeKind::Organization, 0, org.id).encode(),
        "url": format!("{API}/orgs/{}", org.login),
        "repos_url": format!("{API}/orgs/{}/repos", org.login),
        "avatar_url": avatar(org.id),
        "description": org.description,
        "name": org.name,
        "html_url": format!("https://github.com/{}", org.login),
        "created_at": rest_time(org.created_at),
        "updated_at": rest_time(org.created_at),
        "type": "Organization",
    })
}

fn short(kind: &str, login: &str, id: u64, node: NodeKind) -> Value {
    let api = format!("{API}/users/{login}");
    json!({
        "login": login,
        "id": id,
        "node_id": NodeId::new(node, 0, id).encode(),
        "avatar_url": avatar(id),
        "gravatar_id": "",
        "url": api,
        "html_url": format!("https://github.com/{login}"),
        "followers_url": format!("{api}/followers"),
        "following_url": format!("{api}/following{{/other_user}}"),
        "gists_url": format!("{api}/gists{{/gist_id}}"),
        "starred_url": format!("{api}/starred{{/owner}}{{/repo}}"),
        "subscriptions_url": format!("{api}/subscriptions"),
        "organizations_url": format!("{api}/orgs"),
        "repos_url": format!("{api}/repos"),
        "events_url": format!("{api}/events{{/privacy}}"),
        "received_events_url": format!("{api}/received_events"),
        "type": kind,
        "user_view_type": "public",
        "site_admin": false,
    })
}

/// Presents an app's account. REST adds a suffix to its login that GraphQL does not have.
fn bot(user: &User) -> Value {
    let mut body = short(
        "Bot",
        &format!("{}[bot]", user.login),
        user.id,
        NodeKind::Bot,
    );
    body["html_url"] = json!(format!("https://github.com/apps/{}", user.login));
    body
}

fn avatar(id: u64) -> String {
    format!("https://avatars.githubusercontent.com/u/{id}?v=4")
}
