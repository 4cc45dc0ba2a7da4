//! What can be seen in code without running it: what it calls, and how it reads `args`.

mod calls;
mod find;
mod literals;
mod parameters;
mod paths;

pub(crate) use find::find;
