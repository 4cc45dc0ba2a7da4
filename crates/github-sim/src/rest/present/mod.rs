//! Presenters: convert objects of the world to the JSON of GitHub's REST API.

mod account;
mod actions;
mod commit;
mod issue;
mod pull;
mod release;
mod repository;
mod review;
mod view;

pub(crate) use account::{organization, public_user, user};
pub(crate) use view::{API, View};
