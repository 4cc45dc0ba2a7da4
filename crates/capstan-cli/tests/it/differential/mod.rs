//! Every card gives the same answer, byte for byte, and does the same on every route that it has.

mod case;
mod check;
mod columns;
mod coverage;
mod issue_states;
mod issues;
mod issues_changed;
mod limits;
mod mended;
mod proof;
mod pull_states;
mod pulls;
mod pulls_changed;
mod repositories;
mod seeds;
mod tests;
mod verified;
