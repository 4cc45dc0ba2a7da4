//! Runs chains whose later steps depend on earlier results: `each` runs a step for every row of a list, `when` only
//! if a condition holds. Such a chain runs in stages. Each stage is an ordinary chain; all stages are one execution.
//! Lists that are read to their end (`all`), filtered (`where`) or sorted (`sort`) are completed after their stage.

mod check;
mod needs;
mod pages;
mod rows;
mod run;
mod scope;
mod selection;

pub(crate) use needs::needs_stages;
