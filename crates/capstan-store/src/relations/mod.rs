//! Relations between capabilities: stated, observed and listed, with the evidence for them.

mod add;
mod all;
mod change;
mod cycle;
mod evidence;
mod forget;
mod learn;
mod list;
mod move_relations;
mod node;
mod relate;
mod row;
mod state;

pub(crate) use add::{add, observe};
pub(crate) use all::all;
pub(crate) use change::changed;
pub(crate) use forget::{forget_learned, remove};
pub(crate) use learn::{learn, unlearned};
pub(crate) use list::{count, edges_of_node, with_observations};
pub(crate) use move_relations::move_all;
pub(crate) use relate::{relate, sharing, unrelated};
