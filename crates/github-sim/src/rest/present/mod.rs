//! Presenters: the world's things in the shapes that GitHub's REST API gives them.

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
