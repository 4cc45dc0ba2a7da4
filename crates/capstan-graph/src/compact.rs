//! The graph in the order of its names. It is the same for equal graphs, to the last bit of a sum.

use crate::graph::Graph;
use crate::link::EdgeData;
use crate::names::{Slot, number};

/// The nodes in the order of their names. A node is known by its position in this order.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) slots: Vec<Slot>,
    /// The position of the node in each slot of the graph.
    places: Vec<u32>,
}

impl Order {
    pub(crate) fn place(&self, slot: Slot) -> u32 {
        self.places[slot as usize]
    }
}

/// All edges, packed.
#[derive(Debug)]
pub(crate) struct Compact {
    /// The index of each node's first edge, and the end of the last node's edges.
    begins: Vec<u32>,
    ends: Vec<u32>,
    weights: Vec<f64>,
}

impl Compact {
    pub(crate) fn nodes(&self) -> usize {
        self.begins.len() - 1
    }

    /// Returns the targets of a node's edges, in order, with their confidence.
    pub(crate) fn edges(&self, place: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.begins[place] as usize..self.begins[place + 1] as usize;
        let ends = self.ends[range.clone()].iter();
        let weights = self.weights[range].iter();
        ends.zip(weights)
            .map(|(end, weight)| (*end as usize, *weight))
    }
}

impl Graph {
    pub(crate) fn order(&self) -> &Order {
        self.cache.order.get_or_init(|| {
            let mut slots: Vec<Slot> = self.names.slots().collect();
            slots.sort_unstable_by(|one, two| self.names.node(*one).cmp(self.names.node(*two)));
            let mut places = vec![u32::MAX; self.names.span()];
            for (place, slot) in slots.iter().enumerate() {
                places[*slot as usize] = number(place);
            }
            Order { slots, places }
        })
    }

    pub(crate) fn compact(&self) -> Compact {
        let order = self.order();
        let mut begins = Vec::with_capacity(order.slots.len() + 1);
        let mut ends = Vec::with_capacity(self.edge_count());
        let mut weights = Vec::with_capacity(self.edge_count());
        let mut row = Vec::new();
        begins.push(0);
        for slot in &order.slots {
            row.clear();
            row.extend(self.row(*slot));
            row.sort_unstable_by_key(|(place, _)| *place);
            for (place, data) in &row {
                ends.push(*place);
                weights.push(data.confidence());
            }
            begins.push(number(ends.len()));
        }
        Compact {
            begins,
            ends,
            weights,
        }
    }

    /// Returns the targets of a node's edges by position, in no particular order.
    pub(crate) fn row(&self, slot: Slot) -> impl Iterator<Item = (u32, EdgeData)> {
        let order = self.order();
        let links = self.links(slot).iter();
        links.map(|link| (order.place(link.to), link.data))
    }
}
