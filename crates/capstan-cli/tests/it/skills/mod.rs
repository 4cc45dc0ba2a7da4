//! Skills through the whole product: run from everywhere, in as few requests as their depth, and whatever
//! goes wrong.

mod broken;
mod commands;
mod draft;
mod examples;
mod failures;
mod lock;
mod progress;
mod races;
mod requests;
mod resume;
mod served;
mod surfaces;
mod taken;
mod world;
