//! The repository that is meant where a call names none, found out when it is first needed.

use std::fmt;
use std::sync::{Arc, LazyLock};

type Found = Option<(String, String)>;
type Finder = Box<dyn FnOnce() -> Found + Send>;

/// Owner and name of a repository, or how to find them.
#[derive(Clone, Default)]
pub struct DefaultRepository(Option<Arc<LazyLock<Found, Finder>>>);

impl DefaultRepository {
    /// The repository that `find` finds. It is asked once, and only if a call needs it.
    pub fn found_by(find: impl FnOnce() -> Option<(String, String)> + Send + 'static) -> Self {
        let find: Finder = Box::new(find);
        Self(Some(Arc::new(LazyLock::new(find))))
    }

    /// Owner and name, if there is one.
    pub fn get(&self) -> Option<(String, String)> {
        LazyLock::force(self.0.as_deref()?).clone()
    }
}

impl fmt::Debug for DefaultRepository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DefaultRepository")
    }
}
