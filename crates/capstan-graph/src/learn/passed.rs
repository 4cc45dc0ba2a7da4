//! Learns `dependency`: a value in an input came from an earlier call. The maker of the calls can
//! have read it there, and had no other source for it: neither its caller nor its own text.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use capstan_core::code::{Node, Passed};

use super::agreeing::agrees;
use super::calls::{Call, Calls};
use super::distinctive::DistinctiveValue;
use super::leaves::{Leaf, Place, leaves, leaves_at};
use super::makers::{Maker, Makers};
use super::tally::Tally;

/// How many calls that gave the same value are remembered, the last first.
const MAX_PRODUCERS: usize = 4;
/// How many places of the value are remembered for each call.
const MAX_PLACES: usize = 8;

/// The moment at which a value first occurred in an input.
type Known<'a> = HashMap<DistinctiveValue<'a>, (u64, u32)>;

/// A call that gave a value, and the places of the value in its output.
struct Producer<'a> {
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
    // The caller's values were known before everything else.
    let mut known: Known<'_> = given.iter().map(|leaf| (leaf.value, (0, 0))).collect();
    // Failed calls teach nothing, but their inputs were known.
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
        let producers = producers(&siblings, &known, maker);
        for (place, call, node) in siblings {
            let mut used: BTreeMap<&Node, Vec<Passed>> = BTreeMap::new();
            for leaf in &inputs[place] {
                let producers = producers.get(&leaf.value).map_or(&[][..], Vec::as_slice);
                if let Some((producer, output)) = source(leaf, call, maker, producers)
                    && !maker.has(leaf.value, given)
                {
                    used.entry(producer).or_default().push(Passed {
                        output: output.at.clone(),
                        input: leaf.place.at.clone(),
                    });
                }
            }
            for (producer, passed) in used {
                tally.passed(node, producer, call.moment(), passed);
            }
        }
    }
}

/// Returns the calls that gave values which later inputs have and no earlier one. The last call
/// comes first.
fn producers<'a>(
    siblings: &[(usize, &'a Call<'a>, &'a Node)],
    known: &Known<'_>,
    maker: &Maker,
) -> HashMap<DistinctiveValue<'a>, Vec<Producer<'a>>> {
    let mut last_first: Vec<(&Call<'_>, &Node)> = siblings
        .iter()
        .map(|(_, call, node)| (*call, *node))
        .collect();
    last_first.sort_by_key(|(call, node)| (Reverse((call.end, call.moment())), *node));
    let mut producers: HashMap<DistinctiveValue<'a>, Vec<Producer<'a>>> = HashMap::new();
    for (call, node) in last_first {
        let mut output = call.output.map(leaves).unwrap_or_default();
        output.extend(call.used.into_iter().flat_map(leaves_at));
        let mut given: HashMap<DistinctiveValue<'a>, Vec<Place<'a>>> = HashMap::new();
        for leaf in output {
            let is_new = |first: &(u64, u32)| first.0 >= call.end && *first > call.moment();
            if known.get(&leaf.value).is_some_and(is_new) {
                given.entry(leaf.value).or_default().push(leaf.place);
            }
        }
        for (value, mut places) in given {
            let of_value = producers.entry(value).or_default();
            if of_value.len() < MAX_PRODUCERS {
                let order = |place: &Place<'_>| (!maker.reads(place), depth(place));
                places.sort_by(|one, two| {
                    order(one)
                        .cmp(&order(two))
                        .then_with(|| one.at.cmp(&two.at))
                });
                places.truncate(MAX_PLACES);
                of_value.push(Producer { call, node, places });
            }
        }
    }
    producers
}

/// Returns the source of a value in an input: the last call that gave it, if that is another node.
fn source<'a>(
    leaf: &Leaf<'_>,
    call: &Call<'_>,
    maker: &Maker,
    producers: &'a [Producer<'a>],
) -> Option<(&'a Node, &'a Place<'a>)> {
    let agrees = |place: &Place<'_>| match (leaf.place.name, place.name) {
        (Some(input), Some(given)) => agrees(input, given, place.above),
        _ => false,
    };
    let earlier = producers
        .iter()
        .filter(|producer| producer.call.batch != call.batch);
    for producer in earlier {
        let places = producer.places.iter();
        let mut places = places.filter(|place| maker.can_pass(place, &leaf.place));
        let named = places.clone().find(|place| agrees(place));
        let place = if leaf.value.needs_name() {
            named
        } else {
            named.or_else(|| places.next())
        };
        if let Some(place) = place {
            return (call.node.as_ref() != Some(producer.node)).then_some((producer.node, place));
        }
    }
    None
}

fn depth(place: &Place<'_>) -> usize {
    place.at.matches('/').count()
}
