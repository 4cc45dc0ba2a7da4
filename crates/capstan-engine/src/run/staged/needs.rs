//! Decides which chains run in stages.

use capstan_core::{ChainStep, Options};

/// Returns whether a chain uses anything that needs stages.
pub(crate) fn needs_stages(steps: &[ChainStep]) -> bool {
    let is_staged =
        |options: &Options| options.all || options.condition.is_some() || options.sort.is_some();
    let mut steps = steps.iter();
    steps.any(|step| step.each.is_some() || step.when.is_some() || is_staged(&step.request.options))
}
