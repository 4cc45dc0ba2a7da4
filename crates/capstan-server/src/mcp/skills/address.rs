//! Addresses of skills and their files: `skill://name/SKILL.md`, and `skill://1.2.0/name/SKILL.md` for one
//! version, whether it is the newest or not.

/// What an address means. Whether it is there is another question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Address<'a> {
    File {
        version: Option<&'a str>,
        name: &'a str,
        file: &'a str,
    },
    Folder {
        version: Option<&'a str>,
        name: &'a str,
    },
    /// Of the skills that have this version.
    Version(&'a str),
}

const SCHEME: &str = "skill://";

/// Longer ones are nobody's: a version and two names.
const LONGEST: usize = 512;

impl<'a> Address<'a> {
    /// Letter by letter: nothing is decoded and no `..` is followed, so what is not written as here is
    /// the address of nothing.
    pub(super) fn read(uri: &'a str) -> Option<Self> {
        let path = uri.strip_prefix(SCHEME).filter(|_| uri.len() <= LONGEST)?;
        let parts: Vec<&str> = path.split('/').collect();
        Some(match parts.as_slice() {
            [version] if is_version(version) => Self::Version(version),
            [name] => Self::Folder {
                version: None,
                name,
            },
            [version, name] if is_version(version) => Self::Folder {
                version: Some(version),
                name,
            },
            [name, file] => Self::File {
                version: None,
                name,
                file,
            },
            [version, name, file] if is_version(version) => Self::File {
                version: Some(version),
                name,
                file,
            },
            _ => return None,
        })
    }
}

/// Of the folder of a skill.
pub(super) fn folder(version: Option<&str>, name: &str) -> String {
    match version {
        Some(version) => format!("{SCHEME}{version}/{name}"),
        None => format!("{SCHEME}{name}"),
    }
}

/// Versions have dots, names have none.
fn is_version(part: &str) -> bool {
    part.contains('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_letter_by_letter() {
        assert_eq!(
            Address::read("skill://1.2.0-rc.1+5/report/SKILL.md"),
            Some(Address::File {
                version: Some("1.2.0-rc.1+5"),
                name: "report",
                file: "SKILL.md"
            })
        );
        for nothing in [
            "",
            "report",
            "SKILL://report",
            "file:///report/SKILL.md",
            "skill:report/SKILL.md",
            "skill://report/a/SKILL.md",
            "skill://1.0.0/report/a/SKILL.md",
        ] {
            assert_eq!(Address::read(nothing), None, "{nothing}");
        }
        let long = format!("skill://{}", "a".repeat(LONGEST));
        assert_eq!(Address::read(&long), None);
    }
}
