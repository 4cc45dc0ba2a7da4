//! Version ranges as npm reads them: `^1.2.0`, `~2.1.0`, `>=1.2.0 <2`, `1.x`, `1.2 - 2.3`, `^1 || ^2`.
//!
//! A range is kept as a list of comparators, and a version is compared with each of them. Ranges are never
//! intersected or merged, so a range that allows nothing keeps allowing nothing.

use std::fmt;

use crate::Version;
use crate::version::LARGEST_NUMBER;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    written: String,
    /// A version is allowed if at least one alternative allows it.
    alternatives: Vec<Alternative>,
}

/// Comparators that must all hold.
type Alternative = Vec<Comparator>;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Comparator {
    relation: Relation,
    version: Version,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// The operator in front of a version in a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    /// No operator, or a relation.
    Is(Relation),
    Caret,
    Tilde,
}

/// A version whose last numbers may be open: `1`, `1.x`, `1.2.*`, `1.2.3-beta`.
#[derive(Debug)]
struct Partial {
    major: Option<u64>,
    minor: Option<u64>,
    patch: Option<u64>,
    /// Includes the leading hyphen; empty if there is none.
    prerelease: String,
}

/// The longest accepted text of a range, in bytes.
const LONGEST: usize = 256;

impl Range {
    /// Parses a range. Unlike npm, this refuses an empty text: it comes from a forgotten value, and would
    /// allow everything.
    pub fn parse(text: &str) -> Result<Self, String> {
        let written = text.trim();
        let alternatives = if written.is_empty() || written.len() > LONGEST {
            None
        } else {
            written.split("||").map(alternative).collect()
        };
        match alternatives.map(simplified) {
            Some(alternatives) => Ok(Self {
                written: written.to_owned(),
                alternatives,
            }),
            None => {
                let shown: String = text.chars().take(LONGEST).collect();
                Err(format!(
                    "`{shown}` is not a range of versions: expected something like ^1.2.0, ~1.2.0, >=1.2.0 or 1.2.3"
                ))
            }
        }
    }

    /// The range that allows any release.
    pub fn any() -> Self {
        Self {
            written: "*".to_owned(),
            alternatives: vec![Vec::new()],
        }
    }

    pub fn allows(&self, version: &Version) -> bool {
        self.alternatives
            .iter()
            .any(|comparators| allows(comparators, version))
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

/// Whether all comparators allow a version. A prerelease is allowed only if a comparator names a prerelease
/// of the same three numbers: `^1.2.3-beta.1` accepts the betas of 1.2.3, not those of 1.9.0.
fn allows(comparators: &[Comparator], version: &Version) -> bool {
    let is_named =
        |it: &Comparator| it.version.is_prerelease() && it.version.numbers() == version.numbers();
    comparators.iter().all(|it| it.holds(version))
        && (!version.is_prerelease() || comparators.iter().any(is_named))
}

/// Drops all other alternatives if one allows every release. Their rules for prereleases then do not apply
/// either.
fn simplified(alternatives: Vec<Alternative>) -> Vec<Alternative> {
    if alternatives.iter().any(Vec::is_empty) {
        vec![Vec::new()]
    } else {
        alternatives
    }
}

/// Parses the text between two `||`.
fn alternative(text: &str) -> Option<Alternative> {
    let words: Vec<&str> = text.split_whitespace().collect();
    if let [from, "-", to] = words.as_slice() {
        return hyphenated(from, to);
    }
    let mut comparators = Vec::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        // White space after an operator is allowed: `>= 1.2.0`.
        let joined = match operator(word) {
            (Some(_), "") => format!("{word}{}", words.next()?),
            _ => word.to_owned(),
        };
        let (operator, version) = operator(&joined);
        comparators.extend(comparators_of(operator, version)?);
    }
    // npm reads `>=0.0.0` as `*`: it must not exclude a prerelease that another comparator names.
    let lowest_release = release(0, 0, 0);
    comparators.retain(|it| {
        it.relation != Relation::GreaterOrEqual || Some(&it.version) != lowest_release.as_ref()
    });
    Some(comparators)
}

fn operator(word: &str) -> (Option<Operator>, &str) {
    const OPERATORS: [(&str, Operator); 8] = [
        ("~>", Operator::Tilde),
        ("~", Operator::Tilde),
        ("^", Operator::Caret),
        (">=", Operator::Is(Relation::GreaterOrEqual)),
        ("<=", Operator::Is(Relation::LessOrEqual)),
        (">", Operator::Is(Relation::Greater)),
        ("<", Operator::Is(Relation::Less)),
        ("=", Operator::Is(Relation::Equal)),
    ];
    let found = OPERATORS.iter().find_map(|(written, operator)| {
        let rest = word.strip_prefix(written)?;
        Some((Some(*operator), rest))
    });
    found.unwrap_or((None, word))
}

/// Returns the comparators for an operator and a version; `None` if they do not form a range.
fn comparators_of(operator: Option<Operator>, text: &str) -> Option<Alternative> {
    use Relation::{GreaterOrEqual, Less};
    let bare = text.trim_start_matches(['v', '=']);
    let partial = Partial::parse(bare)?;
    let relation = match operator {
        Some(Operator::Caret) => return partial.compatible(),
        Some(Operator::Tilde) => return partial.same_minor(),
        Some(Operator::Is(relation)) => relation,
        None => Relation::Equal,
    };
    if partial.is_out_of_order() {
        return None;
    }
    let Some(major) = partial.major else {
        // No version is below or above all others.
        let is_strict = matches!(relation, Less | Relation::Greater);
        return Some(if is_strict { nothing() } else { Vec::new() });
    };
    match (partial.minor, partial.patch) {
        (Some(_), Some(_)) => {
            let prefix = &text[..text.len() - bare.len()];
            let is_plain = matches!(prefix, "" | "v") || (operator.is_none() && prefix == "=");
            let version = partial.lowest()?;
            is_plain.then(|| vec![Comparator { relation, version }])
        }
        (minor, _) => {
            let lowest = partial.lowest()?;
            let (next_major, next_minor) = match minor {
                None => (major + 1, 0),
                Some(minor) => (major, minor + 1),
            };
            let next = release(next_major, next_minor, 0);
            let before_next = before(next_major, next_minor, 0);
            Some(match relation {
                Relation::Equal => {
                    vec![compare(GreaterOrEqual, lowest), compare(Less, before_next?)]
                }
                Relation::Greater => vec![compare(GreaterOrEqual, next?)],
                Relation::GreaterOrEqual => vec![compare(GreaterOrEqual, lowest)],
                Relation::Less => {
                    vec![compare(Less, before(major, minor.unwrap_or(0), 0)?)]
                }
                Relation::LessOrEqual => vec![compare(Less, before_next?)],
            })
        }
    }
}

/// Parses `1.2 - 2.3.4`, which includes both ends.
fn hyphenated(from: &str, to: &str) -> Option<Alternative> {
    let trimmed = |text: &str| text.trim_start_matches('v').to_owned();
    let from = Partial::parse(&trimmed(from))?;
    let to = Partial::parse(&trimmed(to))?;
    let mut comparators = Vec::new();
    if from.major.is_some() {
        comparators.push(compare(Relation::GreaterOrEqual, from.lowest()?));
    }
    match (to.major, to.minor, to.patch) {
        (None, ..) => {}
        (Some(major), None, _) => {
            comparators.push(compare(Relation::Less, before(major + 1, 0, 0)?));
        }
        (Some(major), Some(minor), None) => {
            comparators.push(compare(Relation::Less, before(major, minor + 1, 0)?));
        }
        (Some(_), Some(_), Some(_)) => {
            comparators.push(compare(Relation::LessOrEqual, to.lowest()?));
        }
    }
    Some(comparators)
}

impl Partial {
    fn parse(text: &str) -> Option<Self> {
        let text = without_build(text)?;
        let (numbers, prerelease) = match text.find('-') {
            Some(hyphen) => text.split_at(hyphen),
            None => (text, ""),
        };
        let mut parts = numbers.split('.');
        let mut next = || parts.next().map(number);
        let (major, minor, patch) = (next(), next(), next());
        let has_three = patch.is_some();
        let partial = Self {
            major: major?.ok()?,
            minor: minor.unwrap_or(Ok(None)).ok()?,
            patch: patch.unwrap_or(Ok(None)).ok()?,
            prerelease: prerelease.to_owned(),
        };
        let is_whole = parts.next().is_none() && (prerelease.is_empty() || has_three);
        let is_prerelease = prerelease.is_empty()
            || semver::Prerelease::new(prerelease.trim_start_matches('-'))
                .is_ok_and(|it| !it.is_empty());
        (is_whole && is_prerelease).then_some(partial)
    }

    /// Whether a number follows an open one, as in `1.x.2`.
    fn is_out_of_order(&self) -> bool {
        (self.major.is_none() && self.minor.is_some())
            || (self.minor.is_none() && self.patch.is_some())
    }

    /// Returns the version with zeros for the open numbers.
    fn lowest(&self) -> Option<Version> {
        let is_whole = self.minor.is_some() && self.patch.is_some();
        let prerelease = if is_whole {
            self.prerelease.as_str()
        } else {
            ""
        };
        let minor = self.minor.unwrap_or(0);
        let patch = self.minor.and(self.patch).unwrap_or(0);
        parsed(self.major?, minor, patch, prerelease)
    }

    /// The range of `^`: the first number that is not zero stays the same.
    fn compatible(&self) -> Option<Alternative> {
        let Some(major) = self.major else {
            return Some(Vec::new());
        };
        let next = match (major, self.minor, self.patch) {
            (0, Some(0), Some(patch)) => before(0, 0, patch + 1),
            (0, Some(minor), _) => before(0, minor + 1, 0),
            (major, ..) => before(major + 1, 0, 0),
        };
        Some(between(self.lowest()?, next?))
    }

    /// The range of `~`: only the last number may change, or the last two if only the first is given.
    fn same_minor(&self) -> Option<Alternative> {
        let Some(major) = self.major else {
            return Some(Vec::new());
        };
        let next = match self.minor {
            Some(minor) => before(major, minor + 1, 0),
            None => before(major + 1, 0, 0),
        };
        Some(between(self.lowest()?, next?))
    }
}

impl Comparator {
    fn holds(&self, version: &Version) -> bool {
        match self.relation {
            Relation::Equal => *version == self.version,
            Relation::Less => *version < self.version,
            Relation::LessOrEqual => *version <= self.version,
            Relation::Greater => *version > self.version,
            Relation::GreaterOrEqual => *version >= self.version,
        }
    }
}

fn compare(relation: Relation, version: Version) -> Comparator {
    Comparator { relation, version }
}

fn between(lowest: Version, next: Version) -> Alternative {
    vec![
        compare(Relation::GreaterOrEqual, lowest),
        compare(Relation::Less, next),
    ]
}

/// Returns comparators that allow no version.
fn nothing() -> Alternative {
    before(0, 0, 0)
        .map(|first| compare(Relation::Less, first))
        .into_iter()
        .collect()
}

fn release(major: u64, minor: u64, patch: u64) -> Option<Version> {
    parsed(major, minor, patch, "")
}

/// Returns the lowest prerelease, which comes before every other version with these numbers.
fn before(major: u64, minor: u64, patch: u64) -> Option<Version> {
    parsed(major, minor, patch, "-0")
}

fn parsed(major: u64, minor: u64, patch: u64, prerelease: &str) -> Option<Version> {
    Version::parse(&format!("{major}.{minor}.{patch}{prerelease}")).ok()
}

/// Parses one number of a version; `Ok(None)` if it is left open.
fn number(text: &str) -> Result<Option<u64>, ()> {
    match text {
        "x" | "X" | "*" => Ok(None),
        _ if text.len() > 1 && text.starts_with('0') => Err(()),
        _ if text.bytes().all(|it| it.is_ascii_digit()) => match text.parse() {
            Ok(number) if number <= LARGEST_NUMBER => Ok(Some(number)),
            _ => Err(()),
        },
        _ => Err(()),
    }
}

/// Removes build metadata, which is not compared; `None` if it is malformed.
fn without_build(text: &str) -> Option<&str> {
    let Some((version, build)) = text.split_once('+') else {
        return Some(text);
    };
    let is_metadata = semver::BuildMetadata::new(build).is_ok_and(|it| !it.is_empty());
    is_metadata.then_some(version)
}
