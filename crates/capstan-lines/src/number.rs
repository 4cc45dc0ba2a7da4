//! Parses numbers of issues and similar objects: `#43`, `acme/rocket#43`, or an address.

use capstan_core::brief;

use crate::repository::{self, Address, NamedRepository};

/// The length at which addresses in messages are cut.
const LONGEST: usize = 100;

/// A number, with the repository that was written with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NumberInRepository {
    pub number: u64,
    pub repository: Option<NamedRepository>,
}

/// Parses a number for an input of this name. Returns `None` if the text has none of these forms.
pub(crate) fn read(text: &str, input: &str) -> Option<Result<NumberInRepository, String>> {
    if let Some(address) = Address::parse(text) {
        return Some(in_address(text, address, input));
    }
    let (before, number) = text.split_once('#')?;
    let number = digits(number)?;
    if before.is_empty() {
        let repository = None;
        return Some(Ok(NumberInRepository { number, repository }));
    }
    Some(repository::read(before)?.map(|repository| numbered(text, number, repository)))
}

fn in_address(text: &str, address: Address<'_>, input: &str) -> Result<NumberInRepository, String> {
    let address = address.on_github(text)?;
    let kinds = kinds(input);
    let mut pairs = address.rest.windows(2);
    let number = pairs.find_map(|pair| kinds.contains(&pair[0]).then(|| digits(pair[1]))?);
    match number {
        Some(number) => Ok(numbered(text, number, address.repository())),
        None => Err(format!(
            "`{}` has no number for `{input}`: expected an address with `/{}/N`",
            brief(text, LONGEST),
            kinds[0]
        )),
    }
}

fn numbered(text: &str, number: u64, (owner, name): (String, String)) -> NumberInRepository {
    NumberInRepository {
        number,
        repository: Some(NamedRepository {
            owner,
            name,
            written: text.to_owned(),
        }),
    }
}

/// Returns the path segments before the number in addresses for this input. Pull requests are issues too.
fn kinds(input: &str) -> &'static [&'static str] {
    let is_about = |word: &str| input.split('_').any(|part| part == word);
    if is_about("discussion") {
        &["discussions"]
    } else if is_about("milestone") {
        &["milestone", "milestones"]
    } else if is_about("run") {
        &["runs"]
    } else if is_about("job") {
        &["job", "jobs"]
    } else if is_about("pr") || is_about("pull") {
        &["pull", "pulls", "issues"]
    } else {
        &["issues", "pull", "pulls"]
    }
}

fn digits(text: &str) -> Option<u64> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok())?
}
