//! Learns `contains`: a call made another, and both succeeded. Each call counts.

use capstan_core::code::{EdgeKind, Evidence};

use super::calls::{Calls, MadeBy};
use super::tally::Tally;

pub(super) fn observe(calls: &Calls<'_>, tally: &mut Tally) {
    for (_, call, node) in calls.teaching() {
        let outer = match call.made_by {
            MadeBy::Whole => calls.whole.as_ref(),
            MadeBy::Call(place) => calls.all[place].node.as_ref(),
            MadeBy::Failed | MadeBy::Nowhere => None,
        };
        if let Some(outer) = outer {
            tally.add(outer, node, EdgeKind::Contains, Evidence::Called);
        }
    }
}
