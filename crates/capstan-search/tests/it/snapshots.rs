//! Snapshots: what they restore, and what is refused.

use capstan_search::{Index, SnapshotError};
use proptest::prelude::*;

use crate::support::{catalogue, document, put, search};

#[test]
fn what_was_kept_finds_the_same() {
    let index = catalogue();
    let again = Index::from_bytes(&index.to_bytes()).unwrap();
    assert_eq!(again.model(), "subjects");
    assert_eq!(
        (again.len(), again.dimension()),
        (index.len(), index.dimension())
    );
    for text in ["close the isue", "umbrella", "pr.list", "PR."] {
        assert_eq!(search(&again, text), search(&index, text), "{text}");
    }
    assert_eq!(again.to_bytes(), index.to_bytes());
}

#[test]
fn what_was_kept_can_be_changed() {
    let mut again = Index::from_bytes(&catalogue().to_bytes()).unwrap();
    let mut index = catalogue();
    for index in [&mut again, &mut index] {
        put(index, &document("issue.close", "Something else"));
        index.remove("pr.merge");
    }
    assert_eq!(again.to_bytes(), index.to_bytes());
}

#[test]
fn an_empty_one() {
    let bytes = Index::new("", 0).to_bytes();
    assert!(Index::from_bytes(&bytes).unwrap().is_empty());
}

#[test]
fn what_is_no_snapshot() {
    let check = |bytes: &[u8], expected: SnapshotError| {
        assert_eq!(Index::from_bytes(bytes).unwrap_err(), expected);
    };
    check(b"", SnapshotError::Foreign);
    check(b"{\"a\": 1, \"b\": 2, \"c\": 3}", SnapshotError::Foreign);
    let mut bytes = catalogue().to_bytes();
    bytes[8] = 9;
    check(&bytes, SnapshotError::Version(9));
    let bytes = catalogue().to_bytes();
    for end in 16..bytes.len() {
        check(&bytes[..end], SnapshotError::Damaged);
    }
}

/// Writes the checksum of the remaining bytes.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let checksum = crc32fast::hash(&bytes[16..]);
    bytes[12..16].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

proptest! {
    #[test]
    fn a_changed_byte_is_seen(at: prop::sample::Index, change in 1_u8..) {
        let mut bytes = catalogue().to_bytes();
        let at = at.index(bytes.len());
        bytes[at] ^= change;
        prop_assert!(Index::from_bytes(&bytes).is_err());
    }

    /// Anybody who knows the checksum may write anything.
    #[test]
    fn sealed_nonsense_does_no_harm(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        end: prop::sample::Index,
        cut: bool,
    ) {
        let mut bytes = catalogue().to_bytes();
        for (at, byte) in changes {
            let at = 16 + at.index(bytes.len() - 16);
            bytes[at] = byte;
        }
        if cut {
            bytes.truncate(16 + end.index(bytes.len() - 16));
        }
        if let Ok(mut index) = Index::from_bytes(&sealed(bytes)) {
            let _ = index.to_bytes();
            if index.dimension() == crate::support::DIMENSION {
                let _ = search(&index, "close the isue of pr.");
                put(&mut index, &document("issue.close", "Something else"));
            }
            let keys: Vec<_> = index.keys().map(str::to_owned).collect();
            for key in keys {
                prop_assert!(index.remove(&key));
            }
            prop_assert!(index.is_empty());
        }
    }
}
