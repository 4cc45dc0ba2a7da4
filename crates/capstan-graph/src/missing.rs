//! The error of a query whose node or path does not exist.

use capstan_core::code::Node;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Missing {
    #[error("`{0}` has no relations that are sure enough")]
    Node(Node),
    #[error("no relations lead from `{from}` to `{to}`")]
    Path { from: Node, to: Node },
}
