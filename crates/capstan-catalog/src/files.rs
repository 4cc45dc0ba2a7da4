//! Finds and reads files that people write, and guards against pipes, devices, large files and byte
//! order marks.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use capstan_core::Source;

/// The largest file that is read, in bytes. Nobody writes a larger one by hand.
pub(crate) const MAX_BYTES: u64 = 1024 * 1024;

/// The smallest number of files for which threads are worth their cost.
const PARALLEL_THRESHOLD: usize = 64;

/// The files below a folder.
#[derive(Debug, Default)]
pub struct FoundFiles {
    /// The YAML files in the order of their paths.
    pub files: Vec<PathBuf>,
    /// The folders that could not be read, with the reasons.
    pub unreadable: Vec<(PathBuf, std::io::Error)>,
    /// The folders that were visited. Links may form cycles.
    visited: HashSet<PathBuf>,
}

/// Finds every YAML file below a folder.
pub fn find_yaml_files(dir: &Path) -> FoundFiles {
    let mut found = FoundFiles::default();
    if let Err(cause) = found.visit(dir) {
        found.unreadable.push((dir.to_owned(), cause));
    }
    found.files.sort();
    found
}

impl FoundFiles {
    fn visit(&mut self, dir: &Path) -> std::io::Result<()> {
        if !self.visited.insert(dir.canonicalize()?) {
            return Ok(());
        }
        for entry in std::fs::read_dir(dir)? {
            let entry = entry?;
            let path = entry.path();
            if is_folder(&entry, &path) {
                if let Err(cause) = self.visit(&path) {
                    self.unreadable.push((path, cause));
                }
            } else if path
                .extension()
                .is_some_and(|extension| extension == "yaml" || extension == "yml")
            {
                self.files.push(path);
            }
        }
        Ok(())
    }
}

/// Returns whether an entry is a folder or leads to one. Only links have to be followed.
fn is_folder(entry: &std::fs::DirEntry, path: &Path) -> bool {
    match entry.file_type() {
        Ok(kind) if !kind.is_symlink() => kind.is_dir(),
        _ => path.is_dir(),
    }
}

/// Reads a text file, or returns why it cannot be read.
pub fn read(file: &Path) -> Result<Arc<Source>, String> {
    let unreadable = |cause: std::io::Error| format!("cannot read `{}`: {cause}", file.display());
    let metadata = std::fs::metadata(file).map_err(unreadable)?;
    // Reading a pipe or a device might never end.
    if !metadata.is_file() {
        return Err(format!("`{}` is not a file", file.display()));
    }
    let size = metadata.len();
    if size > MAX_BYTES {
        return Err(format!(
            "`{}` is too large ({size} bytes): expected at most {MAX_BYTES}",
            file.display()
        ));
    }
    let bytes = std::fs::read(file).map_err(unreadable)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| format!("`{}` is not UTF-8 text: save it as such", file.display()))?;
    // Some editors begin a file with an invisible byte order mark.
    let text = text.trim_start_matches('\u{feff}');
    Ok(Source::new(file.display().to_string(), text))
}

/// Applies `work` to every item, on all processors. The results have the order of the items.
pub fn map_in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    if items.len() < PARALLEL_THRESHOLD || threads < 2 {
        return items.iter().map(work).collect();
    }
    let work = &work;
    std::thread::scope(|scope| {
        let parts = items.chunks(items.len().div_ceil(threads));
        let parts: Vec<_> = parts
            .map(|part| scope.spawn(move || part.iter().map(work).collect::<Vec<_>>()))
            .collect();
        let done = parts.into_iter().map(|part| match part.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        done.flatten().collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traps_are_taken_out() {
        let folder = std::env::temp_dir().join(format!("capstan-files-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("a.yaml");
        std::fs::write(&file, "\u{feff}id: a\n").unwrap();
        assert_eq!(read(&file).unwrap().text, "id: a\n");
        std::fs::write(&file, b"id: \xff\n").unwrap();
        assert!(read(&file).unwrap_err().contains("is not UTF-8 text"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
