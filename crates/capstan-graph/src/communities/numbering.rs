//! Numbers communities.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::names::number;

/// Renumbers communities without gaps, in the order of their first members. Returns how many there
/// are.
pub(super) fn renumber(communities: &mut [u32]) -> usize {
    let mut numbers = HashMap::new();
    for community in communities {
        let next = number(numbers.len());
        *community = *numbers.entry(*community).or_insert(next);
    }
    numbers.len()
}

/// Numbers communities by size, the largest first; among equals, the one with the first member.
pub(super) fn by_size(communities: &[u32]) -> Vec<u32> {
    let mut communities = communities.to_vec();
    let count = renumber(&mut communities);
    let mut sizes = vec![0_u32; count];
    for community in &communities {
        sizes[*community as usize] += 1;
    }
    let mut largest: Vec<usize> = (0..count).collect();
    largest.sort_by_key(|community| Reverse(sizes[*community]));
    let mut numbers = vec![0; count];
    for (place, community) in largest.into_iter().enumerate() {
        numbers[community] = number(place);
    }
    let renumbered = communities.iter();
    renumbered.map(|it| numbers[*it as usize]).collect()
}
