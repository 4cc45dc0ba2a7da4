//! Tests of rendered plans: how they look, and that foreign text cannot break them.

mod expressions;
mod hostile;
mod order;
mod pictures;
mod plans;
mod well_formed;
