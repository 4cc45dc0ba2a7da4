//! Chains whose later steps depend on what earlier ones found: `each` runs a step for every row of a list, `when` runs
//! it only if something holds. Such a chain runs in stages; each stage is an ordinary chain, and all of them are one
//! execution. Lists that are read to their end (`all`) or filtered (`where`) are completed after their stage.

mod check;
mod needs;
mod pages;
mod rows;
mod run;
mod scope;
mod selection;

pub(crate) use needs::needs_stages;
