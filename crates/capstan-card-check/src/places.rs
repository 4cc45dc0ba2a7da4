//! Tracks which parts of a selection or an input are read.

use crate::ty::{Kind, Ty};

/// The tracked places, and whether each is read.
#[derive(Debug, Default)]
pub(crate) struct ReadTracker {
    all: Vec<TrackedPlace>,
}

#[derive(Debug)]
struct TrackedPlace {
    path: String,
    /// Whether nothing is below it.
    leaf: bool,
    read: bool,
}

impl ReadTracker {
    /// Adds a place and returns its index.
    pub(crate) fn add(&mut self, path: impl Into<String>, leaf: bool) -> usize {
        self.all.push(TrackedPlace {
            path: path.into(),
            leaf,
            read: false,
        });
        self.all.len() - 1
    }

    /// Marks the value at the end of a path as read. A document can only ask whether an object
    /// exists by selecting a field in it, so an object's only field counts as read too.
    pub(crate) fn mark_read(&mut self, ty: &Ty) {
        self.mark(ty.place);
        let mut leaves = Vec::new();
        self.leaves(ty, &mut leaves);
        if let [leaf] = leaves.as_slice() {
            self.mark(Some(*leaf));
        }
    }

    /// Marks a value and everything in it as read, because it is passed on as a whole.
    pub(crate) fn mark_all_read(&mut self, ty: &Ty) {
        self.mark(ty.place);
        match &ty.kind {
            Kind::List(element) => self.mark_all_read(element),
            Kind::Object(object) => object.fields.values().for_each(|ty| self.mark_all_read(ty)),
            _ => {}
        }
    }

    pub(crate) fn is_read(&self, ty: &Ty) -> bool {
        ty.place
            .and_then(|place| self.all.get(place))
            .is_some_and(|place| place.read)
    }

    /// Returns the paths of the leaves below `ty` that nothing reads.
    pub(crate) fn unread(&self, ty: &Ty) -> Vec<&str> {
        let mut leaves = Vec::new();
        self.leaves(ty, &mut leaves);
        let places = leaves.into_iter().filter_map(|leaf| self.all.get(leaf));
        places
            .filter(|place| !place.read)
            .map(|place| place.path.as_str())
            .collect()
    }

    fn mark(&mut self, place: Option<usize>) {
        if let Some(place) = place.and_then(|place| self.all.get_mut(place)) {
            place.read = true;
        }
    }

    fn leaves(&self, ty: &Ty, into: &mut Vec<usize>) {
        let leaf = ty
            .place
            .filter(|place| self.all.get(*place).is_some_and(|at| at.leaf));
        match &ty.kind {
            _ if leaf.is_some() => into.extend(leaf),
            Kind::List(element) => self.leaves(element, into),
            Kind::Object(object) => {
                for field in object.fields.values() {
                    self.leaves(field, into);
                }
            }
            _ => {}
        }
    }
}
