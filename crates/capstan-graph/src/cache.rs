//! Results that are computed once and kept until the graph changes.

use std::sync::OnceLock;

use crate::compact::Order;

#[derive(Clone, Debug, Default)]
pub(crate) struct Cache {
    pub(crate) order: OnceLock<Order>,
    /// The ranks by position.
    pub(crate) ranks: OnceLock<Vec<f64>>,
    /// The communities by position.
    pub(crate) communities: OnceLock<Vec<u32>>,
}

impl Cache {
    pub(crate) fn clear(&mut self) {
        if self.order.get().is_some() {
            *self = Self::default();
        }
    }
}
