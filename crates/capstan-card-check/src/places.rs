//! Which parts of a selection or an input are read by anything.

use crate::ty::{Kind, Ty};

#[derive(Debug, Default)]
pub(crate) struct Places {
    all: Vec<Place>,
}

#[derive(Debug)]
struct Place {
    path: String,
    /// Nothing is below it.
    leaf: bool,
    read: bool,
}

impl Places {
    pub(crate) fn add(&mut self, path: impl Into<String>, leaf: bool) -> usize {
        self.all.push(Place {
            path: path.into(),
            leaf,
            read: false,
        });
        self.all.len() - 1
    }

    /// The value at the end of a path is read. Whether an object is there can only be asked by
    /// selecting something in it, so an object's only field counts as read with it.
    pub(crate) fn read(&mut self, ty: &Ty) {
        self.mark(ty.place);
        let mut leaves = Vec::new();
        self.leaves(ty, &mut leaves);
        if let [leaf] = leaves.as_slice() {
            self.mark(Some(*leaf));
        }
    }

    /// The value is handed on with everything in it.
    pub(crate) fn read_whole(&mut self, ty: &Ty) {
        self.mark(ty.place);
        match &ty.kind {
            Kind::List(element) => self.read_whole(element),
            Kind::Object(object) => object.fields.values().for_each(|ty| self.read_whole(ty)),
            _ => {}
        }
    }

    pub(crate) fn is_read(&self, ty: &Ty) -> bool {
        ty.place
            .and_then(|place| self.all.get(place))
            .is_some_and(|place| place.read)
    }

    /// The paths of the leaves below `ty` that nothing reads.
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
