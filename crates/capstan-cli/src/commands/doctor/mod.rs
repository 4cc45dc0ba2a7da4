//! `capstan doctor`: what is ready, and why not. One file for each part that is looked at. No
//! secrets; nothing is sent to GitHub.

mod code;
mod github;
mod report;
mod run;
mod search;
mod servers;

pub(super) use run::run;
