//! Estimates how many tokens a call costs a model, without a tokenizer and its vocabulary of several megabytes.
//!
//! Like a tokenizer, it splits the text into words, numbers, punctuation and white space. Each piece counts as many
//! tokens as such a piece has on average in o200k. For texts of 50 tokens and more from this project (answers,
//! requests, prose, code) the estimate is 4 % off on average and at most 15 %; a test compares it.

use serde::Serialize;

use capstan_core::Cost;

/// Tokens are counted in tenths, because punctuation before a word is often a part of the word's token.
const TENTHS: u64 = 10;

/// Estimates how many tokens a text has.
pub fn estimated_tokens(text: &str) -> u64 {
    let mut tenths = 0;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = piece_length(rest, first);
        let (piece, after) = rest.split_at(length);
        tenths += cost_of(piece, first, after);
        rest = after;
    }
    tenths.div_ceil(TENTHS)
}

/// Estimates the cost of a request and its answer, both as JSON.
pub(crate) fn estimate(request: &impl Serialize, answer: &impl Serialize) -> Cost {
    let tokens = |text: serde_json::Result<String>| Some(estimated_tokens(&text.ok()?));
    Cost {
        tokens_in: tokens(serde_json::to_string(request)),
        tokens_out: tokens(serde_json::to_string(answer)),
    }
}

/// Returns the length in bytes of the first piece of a text.
fn piece_length(text: &str, first: char) -> usize {
    let end = |belongs: &dyn Fn(char) -> bool| text.find(|c| !belongs(c)).unwrap_or(text.len());
    match first {
        'a'..='z' | 'A'..='Z' => {
            let bytes = text.as_bytes();
            let continues = |at: usize| {
                let (before, here) = (bytes[at - 1], bytes[at]);
                here.is_ascii_alphabetic()
                    && !(here.is_ascii_uppercase() && before.is_ascii_lowercase())
            };
            (1..bytes.len())
                .find(|at| !continues(*at))
                .unwrap_or(text.len())
        }
        '0'..='9' => end(&|c| c.is_ascii_digit()),
        c if c.is_whitespace() => end(&char::is_whitespace),
        c if c.is_ascii() => {
            end(&|c| c.is_ascii() && !c.is_ascii_alphanumeric() && !c.is_whitespace())
        }
        c => c.len_utf8(),
    }
}

/// Returns the cost of a piece in tenths of tokens.
fn cost_of(piece: &str, first: char, after: &str) -> u64 {
    let length = piece.len() as u64;
    match first {
        'a'..='z' | 'A'..='Z' if length <= 8 => TENTHS,
        'a'..='z' | 'A'..='Z' => TENTHS * (1 + (length - 5) / 4),
        '0'..='9' => TENTHS * length.div_ceil(3),
        // A space is a part of the word after it.
        c if c.is_whitespace() => match piece {
            " " => 0,
            _ => TENTHS,
        },
        c if c.is_ascii() => {
            let before_word = after.starts_with(|c: char| c.is_ascii_alphabetic());
            match length {
                1 if before_word => 4,
                1..=3 => TENTHS,
                more => TENTHS * (1 + (more - 1) / 3),
            }
        }
        _ => 9,
    }
}
