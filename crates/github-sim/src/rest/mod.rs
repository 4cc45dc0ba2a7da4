//! GitHub's REST API on the world: a router, one file per resource, and presenters that build the JSON.

mod actions;
mod assets;
mod assignees;
mod comments;
mod commits;
mod contents;
mod documented;
mod downloads;
mod issue_labels;
mod issues;
mod jobs;
mod labels;
mod media;
mod merge;
mod meta;
mod milestones;
mod moved;
mod page;
mod present;
mod pulls;
mod releases;
mod repos;
mod request;
mod result;
mod review_comments;
mod reviews;
mod route;
mod search;
mod users;

pub(crate) use request::{RestRequest, is_read, path_segments};
pub(crate) use route::respond;
