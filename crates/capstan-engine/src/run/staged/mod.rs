//! Chains whose later steps depend on what earlier ones found: `each` runs a step for every row of a list, `when` runs
//! it only if something holds. Such a chain runs in stages; each stage is an ordinary chain, and all of them are one
//! execution. Lists that are read to their end (`all`) or filtered (`where`) are completed after their stage.

mod check;
mod pages;
mod rows;
mod run;
mod scope;
mod selection;

use capstan_core::{ChainStep, Options};

/// Whether a chain has anything that only stages can do.
pub(crate) fn needs_stages(steps: &[ChainStep]) -> bool {
    let is_staged =
        |options: &Options| options.all || options.condition.is_some() || options.sort.is_some();
    let mut steps = steps.iter();
    steps.any(|step| step.each.is_some() || step.when.is_some() || is_staged(&step.request.options))
}
