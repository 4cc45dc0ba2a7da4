//! Semantic versions, and the distance between them.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// The largest number in a version, as for npm: JavaScript cannot represent larger integers exactly.
pub(crate) const LARGEST_NUMBER: u64 = (1 << 53) - 1;

/// A semantic version. As for npm, versions that differ only in build metadata are equal.
#[derive(Clone, Debug)]
pub struct Version(semver::Version);

/// The part of a version that is raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bump {
    None,
    Patch,
    Minor,
    Major,
}

impl Version {
    pub fn parse(text: &str) -> Result<Self, String> {
        let version = semver::Version::parse(text).ok().map(Self);
        let version = version.filter(|it| it.numbers().iter().all(|it| *it <= LARGEST_NUMBER));
        version.ok_or_else(|| {
            format!("`{text}` is not a version: expected three numbers, such as 1.2.0")
        })
    }

    /// Returns the version of a skill that declares none.
    pub fn first() -> Self {
        Self(semver::Version::new(1, 0, 0))
    }

    /// Returns the next version after such a change.
    #[must_use]
    pub fn raised(&self, bump: Bump) -> Self {
        let [major, minor, patch] = self.numbers();
        let (major, minor, patch) = match bump {
            Bump::None => return self.clone(),
            Bump::Patch => (major, minor, patch.saturating_add(1)),
            Bump::Minor => (major, minor.saturating_add(1), 0),
            // As for npm, the second number announces breaking changes while the first is zero.
            Bump::Major if major == 0 => (0, minor.saturating_add(1), 0),
            Bump::Major => (major.saturating_add(1), 0, 0),
        };
        Self(semver::Version::new(major, minor, patch))
    }

    /// Returns how much the version was raised from an earlier one; `None` if this version is lower.
    pub fn bump_from(&self, earlier: &Self) -> Option<Bump> {
        let ([major, minor, _], [old_major, old_minor, _]) = (self.numbers(), earlier.numbers());
        if self < earlier {
            None
        } else if major > old_major || (major == 0 && minor > old_minor) {
            Some(Bump::Major)
        } else if minor > old_minor {
            Some(Bump::Minor)
        } else if self > earlier {
            Some(Bump::Patch)
        } else {
            Some(Bump::None)
        }
    }

    /// Whether it is a prerelease, such as `2.0.0-beta.1`.
    pub fn is_prerelease(&self) -> bool {
        !self.0.pre.is_empty()
    }

    /// Returns the major, minor and patch numbers.
    pub(crate) fn numbers(&self) -> [u64; 3] {
        [self.0.major, self.0.minor, self.0.patch]
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.cmp_precedence(&other.0)
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Version {}

impl Hash for Version {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.numbers().hash(state);
        self.0.pre.hash(state);
    }
}

impl Bump {
    pub fn as_str(self) -> &'static str {
        match self {
            Bump::None => "none",
            Bump::Patch => "patch",
            Bump::Minor => "minor",
            Bump::Major => "major",
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> Version {
        Version::parse(text).unwrap()
    }

    #[test]
    fn what_is_no_version_is_refused() {
        for bad in [
            "",
            "1",
            "1.2",
            "v1.2.3",
            "1.2.3.4",
            "latest",
            "01.2.3",
            "9007199254740992.0.0",
        ] {
            assert!(Version::parse(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn build_metadata_makes_no_difference() {
        assert_eq!(version("1.2.3+linux"), version("1.2.3"));
        assert!(version("1.2.3-beta.2") < version("1.2.3-beta.11"));
        assert!(version("1.2.3-beta.2") < version("1.2.3"));
    }

    #[test]
    fn versions_are_raised() {
        let next = |text: &str, bump| version(text).raised(bump).to_string();
        assert_eq!(next("1.2.3", Bump::Major), "2.0.0");
        assert_eq!(next("0.2.3", Bump::Major), "0.3.0");
        assert_eq!(next("1.2.3", Bump::Minor), "1.3.0");
        assert_eq!(next("1.2.3", Bump::Patch), "1.2.4");
        let bump = |new: &str, old: &str| version(new).bump_from(&version(old));
        assert_eq!(bump("2.0.0", "1.9.9"), Some(Bump::Major));
        assert_eq!(bump("0.3.0", "0.2.9"), Some(Bump::Major));
        assert_eq!(bump("1.3.0", "1.2.9"), Some(Bump::Minor));
        assert_eq!(bump("1.2.4", "1.2.3"), Some(Bump::Patch));
        assert_eq!(bump("1.2.3", "1.2.3"), Some(Bump::None));
        assert_eq!(bump("1.2.2", "1.2.3"), None);
    }
}
