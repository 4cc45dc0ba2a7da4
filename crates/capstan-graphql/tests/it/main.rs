//! Tests of merging, splitting and counting as callers see them.

mod answers;
mod cost;
mod generate;
mod hostile;
mod laws;
mod limits;
mod merge;
mod reach;
mod refusals;
mod support;
