//! `capstan doctor`: what is ready, and why not. One file for each part that is looked at. No
//! secrets; GitHub is asked once on each route, unless that is not wanted.

mod account;
mod advice;
mod code;
mod github;
mod remote;
mod report;
mod run;
mod search;
mod servers;

pub(super) use run::run;
