//! Numbered slots for values that come and go. Free slots are reused.

/// Values in numbered slots.
#[derive(Clone, Debug)]
pub(crate) struct Slots<T> {
    all: Vec<Option<T>>,
    free: Vec<u32>,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self {
            all: Vec::new(),
            free: Vec::new(),
        }
    }
}

impl<T> Slots<T> {
    /// Returns the number of slots, free or not.
    pub(crate) fn size(&self) -> usize {
        self.all.len()
    }

    /// Returns the slot of the next value.
    pub(crate) fn next(&self) -> u32 {
        self.free.last().copied().unwrap_or(self.all.len() as u32)
    }

    pub(crate) fn add(&mut self, thing: T) -> u32 {
        if let Some(place) = self.free.pop() {
            self.all[place as usize] = Some(thing);
            return place;
        }
        self.all.push(Some(thing));
        (self.all.len() - 1) as u32
    }

    pub(crate) fn remove(&mut self, place: u32) -> Option<T> {
        let thing = self.all.get_mut(place as usize)?.take()?;
        self.free.push(place);
        Some(thing)
    }

    pub(crate) fn get(&self, place: u32) -> Option<&T> {
        self.all.get(place as usize)?.as_ref()
    }

    pub(crate) fn get_mut(&mut self, place: u32) -> Option<&mut T> {
        self.all.get_mut(place as usize)?.as_mut()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        let all = self.all.iter().enumerate();
        all.filter_map(|(place, thing)| Some((place as u32, thing.as_ref()?)))
    }
}
