//! What can be seen in code without running it: what it calls, how it reads `args`, and what it mentions.

mod calls;
mod find;
mod literals;
mod mentions;
mod parameters;
mod paths;

pub(crate) use find::find;
pub(crate) use mentions::mentions;
