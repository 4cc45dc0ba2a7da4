//! Numbers of issues and the like, as people write them: `#43`, `acme/rocket#43`, or an address.

use capstan_core::brief;

use crate::repository::{self, Address, Named};

/// How much of an address is repeated.
const LONGEST: usize = 100;

/// A number, and the repository that came with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Numbered {
    pub number: u64,
    pub repository: Option<Named>,
}

/// The number in a text for an input of this name. Nothing if the text is of none of these forms.
pub(crate) fn read(text: &str, input: &str) -> Option<Result<Numbered, String>> {
    if let Some(address) = Address::of(text) {
        return Some(in_address(text, address, input));
    }
    let (before, number) = text.split_once('#')?;
    let number = digits(number)?;
    if before.is_empty() {
        let repository = None;
        return Some(Ok(Numbered { number, repository }));
    }
    Some(repository::read(before)?.map(|repository| numbered(text, number, repository)))
}

fn in_address(text: &str, address: Address<'_>, input: &str) -> Result<Numbered, String> {
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

fn numbered(text: &str, number: u64, (owner, name): (String, String)) -> Numbered {
    Numbered {
        number,
        repository: Some(Named {
            owner,
            name,
            written: text.to_owned(),
        }),
    }
}

/// What stands before the number in addresses of what an input means. Pull requests are issues.
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
