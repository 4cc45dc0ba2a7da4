//! Relations between capabilities: stated, observed, listed, and what they were learned from.

mod add;
mod all;
mod change;
mod cycle;
mod evidence;
mod forget;
mod learn;
mod list;
mod node;
mod relate;
mod rename;
mod row;
mod state;

pub(crate) use add::{add, observe};
pub(crate) use all::all;
pub(crate) use change::changed;
pub(crate) use forget::{forget_learned, remove};
pub(crate) use learn::{learn, unlearned};
pub(crate) use list::{count, of_node, with_observations};
pub(crate) use relate::{relate, sharing, unrelated};
pub(crate) use rename::move_all;
