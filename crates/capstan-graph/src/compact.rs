//! The graph in the order of its names: the same for the same graph, down to the last bit of a sum.

use crate::graph::Graph;
use crate::link::Bond;
use crate::names::{Slot, number};

/// Nodes in the order of their names; the place of a node in it is its number here.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) slots: Vec<Slot>,
    /// By slot.
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
    /// Where the edges of a node begin; one more at the end.
    begins: Vec<u32>,
    ends: Vec<u32>,
    weights: Vec<f64>,
}

impl Compact {
    pub(crate) fn nodes(&self) -> usize {
        self.begins.len() - 1
    }

    /// Where a node's edges lead, in order, and how sure they are.
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
            for (place, bond) in &row {
                ends.push(*place);
                weights.push(bond.confidence());
            }
            begins.push(number(ends.len()));
        }
        Compact {
            begins,
            ends,
            weights,
        }
    }

    /// Where a node's edges lead, by place, in no order.
    pub(crate) fn row(&self, slot: Slot) -> impl Iterator<Item = (u32, Bond)> {
        let order = self.order();
        let links = self.links(slot).iter();
        links.map(|link| (order.place(link.to), link.bond))
    }
}
