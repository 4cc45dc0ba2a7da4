//! Versions and ranges of versions as npm means them. Nothing else here knows who reads them.

use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(nodejs_semver::Version);

/// `^1.2.0`, `~2.1.0`, `>=1.2.0`, `1.x`, `1.2.3` (exactly that), `^1 || ^2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    written: String,
    range: nodejs_semver::Range,
}

/// How much a version must be raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bump {
    None,
    Patch,
    Minor,
    Major,
}

impl Version {
    pub fn parse(text: &str) -> Result<Self, String> {
        match nodejs_semver::Version::parse(text) {
            // `v1`, a fourth number and the like are read by npm, and written by nobody on purpose.
            Ok(version) if version.to_string() == text => Ok(Self(version)),
            _ => Err(format!(
                "`{text}` is no version: expected three numbers, such as 1.2.0"
            )),
        }
    }

    /// Of skills that say none.
    pub fn first() -> Self {
        Self(nodejs_semver::Version::from((1_u64, 0_u64, 0_u64)))
    }

    /// What the next one is called.
    #[must_use]
    pub fn raised(&self, bump: Bump) -> Self {
        let (major, minor, patch) = (self.0.major(), self.0.minor(), self.0.patch());
        let next = match bump {
            Bump::None => return self.clone(),
            Bump::Patch => (major, minor, patch.saturating_add(1)),
            Bump::Minor => (major, minor.saturating_add(1), 0),
            // Before the first release everything may change, which npm tells by the second number.
            Bump::Major if major == 0 => (0, minor.saturating_add(1), 0),
            Bump::Major => (major.saturating_add(1), 0, 0),
        };
        Self(nodejs_semver::Version::from(next))
    }

    /// How much it was raised from an earlier one; nothing if it was not.
    pub fn bump_from(&self, earlier: &Self) -> Option<Bump> {
        let parts = |it: &Self| (it.0.major(), it.0.minor(), it.0.patch());
        let ((major, minor, _), (old_major, old_minor, _)) = (parts(self), parts(earlier));
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
}

impl Range {
    pub fn parse(text: &str) -> Result<Self, String> {
        // npm reads the empty text as anything, and the reader takes a comma for something else.
        let readable = !text.trim().is_empty() && !text.contains(',');
        match nodejs_semver::Range::parse(text) {
            Ok(range) if readable => Ok(Self {
                written: text.trim().to_owned(),
                range,
            }),
            _ => Err(format!(
                "`{text}` is no range of versions: expected something like ^1.2.0, ~1.2.0, >=1.2.0 or 1.2.3"
            )),
        }
    }

    pub fn any() -> Self {
        Self {
            written: "*".to_owned(),
            range: nodejs_semver::Range::any(),
        }
    }

    pub fn allows(&self, version: &Version) -> bool {
        self.range.satisfies(&version.0)
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

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> Version {
        Version::parse(text).unwrap()
    }

    #[test]
    fn ranges_mean_what_npm_means() {
        for (range, inside, outside) in [
            ("1.2.3", vec!["1.2.3"], vec!["1.2.4", "1.2.2"]),
            (">=1.2.0", vec!["1.2.0", "1.3.0", "2.0.0"], vec!["1.1.9"]),
            ("^1.2.0", vec!["1.2.0", "1.9.0"], vec!["2.0.0", "1.1.0"]),
            ("~1.2.0", vec!["1.2.0", "1.2.5"], vec!["1.3.0"]),
            ("^1 || ^3", vec!["1.0.0", "3.1.0"], vec!["2.0.0"]),
            ("*", vec!["0.0.1", "9.0.0"], vec!["1.0.0-beta.1"]),
        ] {
            let range = Range::parse(range).unwrap();
            for text in inside {
                assert!(range.allows(&version(text)), "{range} {text}");
            }
            for text in outside {
                assert!(!range.allows(&version(text)), "{range} {text}");
            }
        }
    }

    #[test]
    fn what_is_none_is_refused() {
        for bad in ["", " ", ">=1.0.0, <2.0.0", "one", "^"] {
            assert!(Range::parse(bad).is_err(), "{bad:?}");
        }
        for bad in ["", "1", "1.2", "v1.2.3", "1.2.3.4", "latest"] {
            assert!(Version::parse(bad).is_err(), "{bad:?}");
        }
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
