//! URIs of skills and their files: `skill://name/SKILL.md` for the newest version, and
//! `skill://1.2.0/name/SKILL.md` for a given one.

/// A parsed skill URI. What it names may not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SkillUri<'a> {
    File {
        version: Option<&'a str>,
        name: &'a str,
        file: &'a str,
    },
    Folder {
        version: Option<&'a str>,
        name: &'a str,
    },
    /// The folder of all skills that have this version.
    Version(&'a str),
}

const SCHEME: &str = "skill://";

/// The longest URI that is parsed, in bytes. A URI has a version and two names.
const MAX_BYTES: usize = 512;

impl<'a> SkillUri<'a> {
    /// Parses a URI. Nothing is decoded and no `..` is followed, so a URI in any other form names nothing.
    pub(super) fn parse(uri: &'a str) -> Option<Self> {
        if uri.len() > MAX_BYTES {
            return None;
        }
        let path = uri.strip_prefix(SCHEME)?;
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

/// Returns the URI of the folder of a skill.
pub(super) fn folder_uri(version: Option<&str>, name: &str) -> String {
    match version {
        Some(version) => format!("{SCHEME}{version}/{name}"),
        None => format!("{SCHEME}{name}"),
    }
}

/// Returns whether a part of a path is a version. Versions contain dots, names do not.
fn is_version(part: &str) -> bool {
    part.contains('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_only_the_exact_form() {
        assert_eq!(
            SkillUri::parse("skill://1.2.0-rc.1+5/report/SKILL.md"),
            Some(SkillUri::File {
                version: Some("1.2.0-rc.1+5"),
                name: "report",
                file: "SKILL.md"
            })
        );
        for invalid in [
            "",
            "report",
            "SKILL://report",
            "file:///report/SKILL.md",
            "skill:report/SKILL.md",
            "skill://report/a/SKILL.md",
            "skill://1.0.0/report/a/SKILL.md",
        ] {
            assert_eq!(SkillUri::parse(invalid), None, "{invalid}");
        }
        let long = format!("skill://{}", "a".repeat(MAX_BYTES));
        assert_eq!(SkillUri::parse(&long), None);
    }
}
