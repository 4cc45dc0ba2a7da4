//! What is worked out once and kept until the graph changes.

use std::sync::OnceLock;

use crate::compact::Order;

#[derive(Clone, Debug, Default)]
pub(crate) struct Cache {
    pub(crate) order: OnceLock<Order>,
    /// By place.
    pub(crate) ranks: OnceLock<Vec<f64>>,
    /// By place.
    pub(crate) communities: OnceLock<Vec<u32>>,
}

impl Cache {
    pub(crate) fn clear(&mut self) {
        if self.order.get().is_some() {
            *self = Self::default();
        }
    }
}
