//! Capstan's own actions, such as naming and sharing code and showing traces. They are capabilities like the others,
//! so the number of MCP tools does not grow with them. Each action has its own file.

mod action;
mod cap;
mod dep;
mod graph;
mod input;
mod run;
mod skill;
mod table;
mod trace;
mod view;

pub(crate) use action::{ActionContext, ActionEngine};
pub(crate) use table::{OWN_CARDS, card, cards, run};
pub use table::{is_own_action, own_actions};
