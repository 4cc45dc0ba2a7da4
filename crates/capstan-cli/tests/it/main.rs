//! Behaviour of the whole product, against the simulator and with the real `gh`.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests fail by panicking, like tests"
)]

mod architecture;
mod binary;
mod chain;
mod check;
mod cli;
mod code;
mod differential;
mod documentation;
mod endings;
mod error_pages;
mod examples;
mod faults;
mod files;
mod generated;
mod graph;
mod hidden;
mod known_fields;
mod known_names;
mod merge_states;
mod merging;
mod milestones;
mod outside;
mod pages;
mod raw_calls;
mod routing;
mod screenshots;
mod secrets;
mod serve;
mod services;
mod skills;
mod smoke;
mod special;
mod support;
mod terse_cards;
mod tokens;
mod user_cards;
