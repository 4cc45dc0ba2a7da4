//! What code shows without being run: what it calls, how it reads `args`, and what it mentions.

mod calls;
mod facts;
mod literals;
mod mentions;
mod parameters;
mod paths;

pub(crate) use facts::find_facts;
pub(crate) use mentions::mentions;
