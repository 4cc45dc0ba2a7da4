//! The default repository: the one for calls that name none.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Owner and name.
type Repository = (String, String);
type FindRepository = Box<dyn Fn(&Path) -> Option<Repository> + Send + Sync>;

/// The repository for calls that name none: a fixed one, or the one of the folders that the client works in.
#[derive(Clone, Default)]
pub struct DefaultRepository(Arc<RepositorySource>);

#[derive(Default)]
enum RepositorySource {
    #[default]
    Nothing,
    Fixed(Repository),
    Folders(FindRepository, Mutex<Folders>),
}

/// The folders in which a repository is searched.
#[derive(Default)]
struct Folders {
    /// The folders that the client works in. If empty, the current folder of this process is used.
    of_client: Vec<PathBuf>,
    /// The result of the search; the outer `None` before the first search.
    found: Option<Option<Repository>>,
}

impl DefaultRepository {
    /// Always this repository, independent of folders.
    pub fn fixed(owner: impl Into<String>, name: impl Into<String>) -> Self {
        Self(Arc::new(RepositorySource::Fixed((
            owner.into(),
            name.into(),
        ))))
    }

    /// The repository that `find` returns for the client's folders. `find` is called only when a call needs a
    /// repository.
    pub fn from_folders(
        find: impl Fn(&Path) -> Option<(String, String)> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(RepositorySource::Folders(
            Box::new(find),
            Mutex::default(),
        )))
    }

    /// Returns whether the repository depends on the client's folders.
    pub fn depends_on_folders(&self) -> bool {
        matches!(*self.0, RepositorySource::Folders(..))
    }

    /// Sets the folders that the client works in.
    pub fn set_client_folders(&self, folders: Vec<PathBuf>) {
        if let RepositorySource::Folders(_, state) = &*self.0 {
            *state.lock().unwrap_or_else(PoisonError::into_inner) = Folders {
                of_client: folders,
                found: None,
            };
        }
    }

    /// Clears the repository until the client's folders are set. Until then, calls must name a repository.
    pub fn set_unknown(&self) {
        if let RepositorySource::Folders(_, state) = &*self.0 {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            state.found = Some(None);
        }
    }

    /// Returns owner and name. Returns `None` if the folders belong to several repositories: a write must not go to
    /// the one that happens to be listed first.
    pub fn get(&self) -> Option<(String, String)> {
        let (find, state) = match &*self.0 {
            RepositorySource::Nothing => return None,
            RepositorySource::Fixed(repository) => return Some(repository.clone()),
            RepositorySource::Folders(find, state) => (find, state),
        };
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.found.is_none() {
            state.found = Some(only_repository(find, &state.of_client));
        }
        state.found.clone().flatten()
    }
}

/// Returns the repository of all folders that have one; `None` if they differ.
fn only_repository(find: &FindRepository, folders: &[PathBuf]) -> Option<Repository> {
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
        let repository = DefaultRepository::from_folders(|folder| {
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
        let repository = DefaultRepository::fixed("acme", "rocket");
        repository.set_client_folders(vec!["/home/maya/engine".into()]);
        assert!(!repository.depends_on_folders());
        let expected = ("acme".to_owned(), "rocket".to_owned());
        assert_eq!(repository.get(), Some(expected));
        assert_eq!(DefaultRepository::default().get(), None);
    }
}
