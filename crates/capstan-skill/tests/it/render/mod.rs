//! Pictures of plans: as they look, and that nothing written by others can spoil them.

mod expressions;
mod hostile;
mod order;
mod pictures;
mod plans;
mod well_formed;
