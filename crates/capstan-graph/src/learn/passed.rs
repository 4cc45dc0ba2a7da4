//! `dependency`: a value of an input was given by a call before, what made the calls can have read it there, and nobody
//! knew it earlier: neither the caller, nor the code or skill that made the calls.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use capstan_core::code::{Node, Passed};

use super::agreeing::agrees;
use super::calls::{Call, Calls};
use super::leaves::{Leaf, Place, leaves, leaves_at};
use super::makers::{Maker, Makers};
use super::tally::Tally;
use super::telling::Telling;

/// Of several that gave the same value, so many of the last are remembered, and of each so many places.
const MOST_GIVERS: usize = 4;
const MOST_PLACES: usize = 8;

/// When somebody first had a value in an input.
type Known<'a> = HashMap<Telling<'a>, (u64, u32)>;

/// A call that gave a value, and where in its output it stood.
struct Giver<'a> {
    call: &'a Call<'a>,
    node: &'a Node,
    places: Vec<Place<'a>>,
}

pub(super) fn observe(calls: &Calls<'_>, makers: &Makers, tally: &mut Tally) {
    let inputs: Vec<Vec<Leaf<'_>>> = calls
        .all
        .iter()
        .map(|call| call.input.map(leaves).unwrap_or_default())
        .collect();
    let given = calls.given.map(leaves).unwrap_or_default();
    // What the caller gave was known before everything.
    let mut known: Known<'_> = given.iter().map(|leaf| (leaf.value, (0, 0))).collect();
    // Failed calls teach nothing, but what they were given was known.
    for (call, leaves) in calls.all.iter().zip(&inputs) {
        for leaf in leaves {
            let first = known.entry(leaf.value).or_insert_with(|| call.moment());
            *first = call.moment().min(*first);
        }
    }
    for (within, siblings) in calls.siblings() {
        let Some(maker) = makers.get(within) else {
            continue;
        };
        if !calls.knows_given(within) {
            continue;
        }
        let given = calls.given_to(within);
        let givers = givers(&siblings, &known, maker);
        for (place, call, node) in siblings {
            let mut used: BTreeMap<&Node, Vec<Passed>> = BTreeMap::new();
            for leaf in &inputs[place] {
                let givers = givers.get(&leaf.value).map_or(&[][..], Vec::as_slice);
                if let Some((giver, output)) = source(leaf, call, maker, givers)
                    && !maker.has(leaf.value, given)
                {
                    used.entry(giver).or_default().push(Passed {
                        output: output.at.clone(),
                        input: leaf.place.at.clone(),
                    });
                }
            }
            for (giver, passed) in used {
                tally.passed(node, giver, call.moment(), passed);
            }
        }
    }
}

/// Who gave what others had in their inputs later, and nobody before. The last comes first.
fn givers<'a>(
    siblings: &[(usize, &'a Call<'a>, &'a Node)],
    known: &Known<'_>,
    maker: &Maker,
) -> HashMap<Telling<'a>, Vec<Giver<'a>>> {
    let mut last_first: Vec<(&Call<'_>, &Node)> = siblings
        .iter()
        .map(|(_, call, node)| (*call, *node))
        .collect();
    last_first.sort_by_key(|(call, node)| (Reverse((call.end, call.moment())), *node));
    let mut givers: HashMap<Telling<'a>, Vec<Giver<'a>>> = HashMap::new();
    for (call, node) in last_first {
        let mut output = call.output.map(leaves).unwrap_or_default();
        output.extend(call.used.into_iter().flat_map(leaves_at));
        let mut given: HashMap<Telling<'a>, Vec<Place<'a>>> = HashMap::new();
        for leaf in output {
            let is_new = |first: &(u64, u32)| first.0 >= call.end && *first > call.moment();
            if known.get(&leaf.value).is_some_and(is_new) {
                given.entry(leaf.value).or_default().push(leaf.place);
            }
        }
        for (value, mut places) in given {
            let of_value = givers.entry(value).or_default();
            if of_value.len() < MOST_GIVERS {
                let order = |place: &Place<'_>| (!maker.reads(place), depth(place));
                places.sort_by(|one, two| {
                    order(one)
                        .cmp(&order(two))
                        .then_with(|| one.at.cmp(&two.at))
                });
                places.truncate(MOST_PLACES);
                of_value.push(Giver { call, node, places });
            }
        }
    }
    givers
}

/// Where a value of an input came from: from the last that gave it, if that is something else.
fn source<'a>(
    leaf: &Leaf<'_>,
    call: &Call<'_>,
    maker: &Maker,
    givers: &'a [Giver<'a>],
) -> Option<(&'a Node, &'a Place<'a>)> {
    let agrees = |place: &Place<'_>| match (leaf.place.name, place.name) {
        (Some(input), Some(given)) => agrees(input, given, place.above),
        _ => false,
    };
    let earlier = givers.iter().filter(|giver| giver.call.batch != call.batch);
    for giver in earlier {
        let places = giver.places.iter();
        let mut places = places.filter(|place| maker.can_pass(place, &leaf.place));
        let named = places.clone().find(|place| agrees(place));
        let place = if leaf.value.needs_name() {
            named
        } else {
            named.or_else(|| places.next())
        };
        if let Some(place) = place {
            return (call.node.as_ref() != Some(giver.node)).then_some((giver.node, place));
        }
    }
    None
}

fn depth(place: &Place<'_>) -> usize {
    place.at.matches('/').count()
}
