//! Splits a diff in git's format into its files.

/// A file in a diff.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct DiffFile<'a> {
    pub(super) path: String,
    pub(super) status: FileStatus,
    pub(super) additions: u64,
    pub(super) deletions: u64,
    /// Its part of the diff, with its head.
    pub(super) text: &'a str,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FileStatus {
    Modified,
    Added,
    Removed,
    /// With its former path.
    Renamed(String),
    Binary,
}

impl FileStatus {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Modified => "modified",
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Renamed(_) => "renamed",
            Self::Binary => "binary",
        }
    }
}

/// Returns the files of a diff. There are none if it is not in git's format.
pub(super) fn files_of(diff: &str) -> Vec<DiffFile<'_>> {
    const HEAD: &str = "diff --git ";
    // In hunks, a line begins with a blank or a sign.
    let mut starts: Vec<usize> = diff
        .match_indices(HEAD)
        .map(|(at, _)| at)
        .filter(|at| *at == 0 || diff.as_bytes()[at - 1] == b'\n')
        .collect();
    starts.push(diff.len());
    let sections = starts.windows(2).map(|pair| &diff[pair[0]..pair[1]]);
    sections.map(file_of).collect()
}

fn file_of(text: &str) -> DiffFile<'_> {
    let mut lines = text.lines();
    let head = lines.next().unwrap_or_default();
    let mut old = None;
    let mut new = None;
    let mut former = None;
    let mut status = FileStatus::Modified;
    let mut counts = Counts::default();
    for line in lines {
        if counts.count(line) {
            continue;
        }
        if let Some(path) = line.strip_prefix("--- ") {
            old = path_of(path, "a/");
        } else if let Some(path) = line.strip_prefix("+++ ") {
            new = path_of(path, "b/");
        } else if let Some(path) = line.strip_prefix("rename from ") {
            former = Some(unquoted(path));
        } else if let Some(path) = line.strip_prefix("rename to ") {
            new = Some(unquoted(path));
        } else if line.starts_with("new file mode") {
            status = FileStatus::Added;
        } else if line.starts_with("deleted file mode") {
            status = FileStatus::Removed;
        } else if line.starts_with("Binary files ") || line == "GIT binary patch" {
            status = FileStatus::Binary;
        }
    }
    if let (Some(former), FileStatus::Modified) = (former, &status) {
        status = FileStatus::Renamed(former);
    }
    DiffFile {
        path: new.or(old).unwrap_or_else(|| path_in_head(head)),
        status,
        additions: counts.additions,
        deletions: counts.deletions,
        text,
    }
}

/// Counts the lines of hunks. A hunk says how long it is, so that a removed line `-- x` is no head.
#[derive(Default)]
struct Counts {
    old_left: u64,
    new_left: u64,
    additions: u64,
    deletions: u64,
}

impl Counts {
    /// Returns whether the line belongs to a hunk.
    fn count(&mut self, line: &str) -> bool {
        if self.old_left == 0 && self.new_left == 0 {
            let Some((old, new)) = hunk_sizes(line) else {
                return false;
            };
            (self.old_left, self.new_left) = (old, new);
            return true;
        }
        match line.as_bytes().first() {
            Some(b'+') => {
                self.new_left = self.new_left.saturating_sub(1);
                self.additions += 1;
            }
            Some(b'-') => {
                self.old_left = self.old_left.saturating_sub(1);
                self.deletions += 1;
            }
            // `\ No newline at end of file`
            Some(b'\\') => {}
            _ => {
                self.old_left = self.old_left.saturating_sub(1);
                self.new_left = self.new_left.saturating_sub(1);
            }
        }
        true
    }
}

/// Reads the two sizes in `@@ -1,5 +1,6 @@`.
fn hunk_sizes(line: &str) -> Option<(u64, u64)> {
    let (ranges, _) = line.strip_prefix("@@ -")?.split_once(" @@")?;
    let (old, new) = ranges.split_once(" +")?;
    let size = |range: &str| match range.split_once(',') {
        Some((_, size)) => size.parse().ok(),
        None => Some(1),
    };
    Some((size(old)?, size(new)?))
}

fn path_of(text: &str, prefix: &str) -> Option<String> {
    // git writes a tab after a path with blanks.
    let path = unquoted(text.trim_end_matches('\t'));
    if path == "/dev/null" {
        return None;
    }
    Some(path.strip_prefix(prefix).unwrap_or(&path).to_owned())
}

/// Reads the path in `diff --git a/x b/x`, which is the same twice if there is no other line with a path.
fn path_in_head(head: &str) -> String {
    let rest = head.strip_prefix("diff --git ").unwrap_or(head);
    if let Some((_, new)) = rest.rsplit_once(" \"b/") {
        return unquoted(&format!("\"{new}"));
    }
    let half = rest.len() / 2;
    let same = rest.get(half + 1..).and_then(|new| new.strip_prefix("b/"));
    match (same, rest.rsplit_once(" b/")) {
        (Some(path), _) if rest.get(..half).is_some_and(|old| old.ends_with(path)) => {
            path.to_owned()
        }
        (_, Some((_, path))) => path.to_owned(),
        (_, None) => rest.to_owned(),
    }
}

/// Undoes the quotes of C that git puts around unusual paths.
fn unquoted(text: &str) -> String {
    let Some(inner) = text
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
    else {
        return text.to_owned();
    };
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner.bytes().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        match rest.next() {
            Some(b'n') => bytes.push(b'\n'),
            Some(b't') => bytes.push(b'\t'),
            Some(digit @ b'0'..=b'7') => {
                let mut value = u32::from(digit - b'0');
                for _ in 0..2 {
                    if let Some(next) = rest.next_if(|byte| (b'0'..=b'7').contains(byte)) {
                        value = value * 8 + u32::from(next - b'0');
                    }
                }
                bytes.push(u8::try_from(value).unwrap_or(b'?'));
            }
            Some(other) => bytes.push(other),
            None => {}
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_apart_and_counted() {
        let diff = "From 1234\nSubject: x\n---\n a | 2\n\n\
            diff --git a/src/a.rs b/src/a.rs\nindex 1..2 100644\n--- a/src/a.rs\n+++ b/src/a.rs\n\
            @@ -1,3 +1,3 @@ fn main\n one\n--- old\n+++ new\n three\n\\ No newline at end of file\n\
            diff --git a/new file.txt b/new file.txt\nnew file mode 100644\n--- /dev/null\n+++ b/new file.txt\t\n@@ -0,0 +1 @@\n+diff --git a/x b/x\n\
            diff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n\
            diff --git a/old b/new\nsimilarity index 100%\nrename from old\nrename to new\n\
            diff --git a/x.png b/x.png\nBinary files a/x.png and b/x.png differ\n\
            diff --git \"a/f\\303\\251\" \"b/f\\303\\251\"\nold mode 100644\nnew mode 100755\n";
        let files: Vec<_> = files_of(diff)
            .iter()
            .map(|it| {
                (
                    it.path.clone(),
                    it.status.name(),
                    it.additions,
                    it.deletions,
                )
            })
            .collect();
        let expected = [
            ("src/a.rs", "modified", 1, 1),
            ("new file.txt", "added", 1, 0),
            ("gone", "removed", 0, 2),
            ("new", "renamed", 0, 0),
            ("x.png", "binary", 0, 0),
            ("fé", "modified", 0, 0),
        ];
        let expected = expected.map(|(path, status, a, d)| (path.to_owned(), status, a, d));
        assert_eq!(files, expected);
        assert_eq!(files_of("no diff"), []);
    }
}
