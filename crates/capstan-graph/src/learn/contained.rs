//! `contains`: a call was made by another, and both were ok. Each call counts.

use capstan_core::code::{EdgeKind, Evidence};

use super::calls::{Calls, Home};
use super::tally::Tally;

pub(super) fn observe(calls: &Calls<'_>, tally: &mut Tally) {
    for (_, call, node) in calls.teaching() {
        let outer = match call.home {
            Home::Whole => calls.whole.as_ref(),
            Home::Call(place) => calls.all[place].node.as_ref(),
            Home::Failed | Home::Nowhere => None,
        };
        if let Some(outer) = outer {
            tally.add(outer, node, EdgeKind::Contains, Evidence::Called);
        }
    }
}
