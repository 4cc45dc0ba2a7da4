//! TypeScript for capabilities: the signature of one, and declarations of everything that code can call.

mod declarations;
mod everything;
mod schema;
mod signature;
mod tree;

pub use declarations::Declarations;
pub(crate) use everything::{declare_everything, signature_of};
pub use signature::signature;
