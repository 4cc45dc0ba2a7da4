//! The repository that a call means when it names none.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Owner and name.
type Repository = (String, String);
type Finder = Box<dyn Fn(&Path) -> Option<Repository> + Send + Sync>;

/// A repository, or how to find it.
#[derive(Clone, Default)]
pub struct DefaultRepository(Arc<Source>);

#[derive(Default)]
enum Source {
    #[default]
    Nothing,
    Given(Repository),
    Folders(Finder, Mutex<Folders>),
}

/// The folders in which the repository is looked for.
#[derive(Default)]
struct Folders {
    /// Those that the client works in. Without any, it is the folder of this process.
    of_client: Vec<PathBuf>,
    /// What was found in them; nothing before anybody looked.
    found: Option<Option<Repository>>,
}

impl DefaultRepository {
    /// This one, whatever the client works in.
    pub fn given(owner: impl Into<String>, name: impl Into<String>) -> Self {
        Self(Arc::new(Source::Given((owner.into(), name.into()))))
    }

    /// The repository of a folder, which `find` tells. It is asked only if a call needs it.
    pub fn found_by(
        find: impl Fn(&Path) -> Option<(String, String)> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(Source::Folders(Box::new(find), Mutex::default())))
    }

    /// Whether the folders of the client make a difference.
    pub fn depends_on_folders(&self) -> bool {
        matches!(*self.0, Source::Folders(..))
    }

    /// Sets the folders that the client works in.
    pub fn set_client_folders(&self, folders: Vec<PathBuf>) {
        if let Source::Folders(_, state) = &*self.0 {
            *state.lock().unwrap_or_else(PoisonError::into_inner) = Folders {
                of_client: folders,
                found: None,
            };
        }
    }

    /// Clears the repository until the client's folders are set: calls must then name one.
    pub fn set_unknown(&self) {
        if let Source::Folders(_, state) = &*self.0 {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            state.found = Some(None);
        }
    }

    /// Owner and name, if there is one. Folders of several repositories mean none of them: a write must not go to the
    /// one that happens to be listed first.
    pub fn get(&self) -> Option<(String, String)> {
        let (find, state) = match &*self.0 {
            Source::Nothing => return None,
            Source::Given(repository) => return Some(repository.clone()),
            Source::Folders(find, state) => (find, state),
        };
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.found.is_none() {
            state.found = Some(only_repository(find, &state.of_client));
        }
        state.found.clone().flatten()
    }
}

fn only_repository(find: &Finder, folders: &[PathBuf]) -> Option<Repository> {
    if folders.is_empty() {
        return find(Path::new("."));
    }
    let mut found = folders.iter().filter_map(|folder| find(folder));
    let first = found.next()?;
    found.all(|other| other == first).then_some(first)
}

impl fmt::Debug for DefaultRepository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DefaultRepository")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(folders: &[&str]) -> Option<String> {
        let repository = DefaultRepository::found_by(|folder| {
            let name = match folder.to_str()? {
                "." => "here",
                "/home/maya/rocket" | "/home/maya/rocket-2" => "rocket",
                "/home/maya/engine" => "engine",
                _ => return None,
            };
            Some(("acme".to_owned(), name.to_owned()))
        });
        assert!(repository.depends_on_folders());
        repository.set_client_folders(folders.iter().map(PathBuf::from).collect());
        repository.get().map(|(_, name)| name)
    }

    #[test]
    fn the_folders_of_the_client_name_one_repository_or_none() {
        assert_eq!(found(&[]).as_deref(), Some("here"));
        assert_eq!(found(&["/home/maya/rocket"]).as_deref(), Some("rocket"));
        assert_eq!(
            found(&["/tmp", "/home/maya/rocket", "/home/maya/rocket-2"]).as_deref(),
            Some("rocket")
        );
        assert_eq!(found(&["/home/maya/rocket", "/home/maya/engine"]), None);
        assert_eq!(found(&["/tmp"]), None);
    }

    #[test]
    fn what_is_given_does_not_depend_on_folders() {
        let repository = DefaultRepository::given("acme", "rocket");
        repository.set_client_folders(vec!["/home/maya/engine".into()]);
        assert!(!repository.depends_on_folders());
        let expected = ("acme".to_owned(), "rocket".to_owned());
        assert_eq!(repository.get(), Some(expected));
        assert_eq!(DefaultRepository::default().get(), None);
    }
}
