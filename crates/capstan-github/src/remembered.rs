//! Answers to reads that GitHub need not send again: the adapter asks with their tags, and status 304 means that nothing
//! has changed. Such an answer costs nothing of the hourly budget.
//!
//! An adapter has one token for its lifetime, so nothing that was read with one token is used with another.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use http::header::{CONTENT_TYPE, ETAG, HeaderValue, LINK};
use http::{HeaderMap, StatusCode};
use indexmap::IndexMap;

use crate::reply::{Reply, is_json};

/// The most answers that are remembered.
const MOST_ANSWERS: usize = 500;
/// How many bytes they may have together.
const MOST_BYTES: usize = 16 << 20;
/// The largest answer that is remembered, in bytes.
const LARGEST: usize = 1 << 20;

/// What decides which answer GitHub gives, beside the token.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AnswerKey {
    pub(crate) address: String,
    /// The requested media type, if it is not GitHub's usual one.
    pub(crate) accept: Option<HeaderValue>,
}

/// An answer with its tag.
#[derive(Clone)]
pub(crate) struct KnownAnswer {
    pub(crate) tag: HeaderValue,
    /// Where the next page is, and what the body is.
    headers: HeaderMap,
    body: Bytes,
}

/// The answers of one adapter. The ones that were not used for longest are forgotten first.
#[derive(Default)]
pub(crate) struct RememberedAnswers(Mutex<Answers>);

#[derive(Default)]
struct Answers {
    /// The latest used come last.
    known: IndexMap<AnswerKey, KnownAnswer>,
    /// The size of all bodies.
    bytes: usize,
}

impl RememberedAnswers {
    /// Returns what is known, to ask whether it has changed.
    pub(crate) fn get(&self, key: &AnswerKey) -> Option<KnownAnswer> {
        self.lock().known.get(key).cloned()
    }

    /// Returns the reply in full: the known answer if GitHub says that it has not changed. Remembers what can be asked
    /// for again.
    pub(crate) fn complete(
        &self,
        key: AnswerKey,
        known: Option<KnownAnswer>,
        reply: Reply,
    ) -> Reply {
        match known {
            Some(known) if reply.head.status == StatusCode::NOT_MODIFIED => {
                let reply = known.as_reply(reply);
                self.lock().put(key, known);
                reply
            }
            _ => {
                let mut answers = self.lock();
                match KnownAnswer::of(&reply) {
                    Some(answer) => answers.put(key, answer),
                    None => answers.remove(&key),
                }
                drop(answers);
                reply
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Answers> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for RememberedAnswers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What was read may be private.
        write!(f, "{} answers", self.lock().known.len())
    }
}

impl KnownAnswer {
    /// Returns what is remembered of a reply; `None` if it cannot be asked for again or is too large.
    fn of(reply: &Reply) -> Option<Self> {
        let body = reply.body.as_ref().ok()?;
        if reply.head.status != StatusCode::OK || body.len() > LARGEST || !is_json(&reply.head) {
            return None;
        }
        let kept = [LINK, CONTENT_TYPE].into_iter();
        let kept = kept.filter_map(|name| {
            let value = reply.head.headers.get(&name)?.clone();
            Some((name, value))
        });
        Some(Self {
            tag: reply.head.headers.get(ETAG)?.clone(),
            headers: kept.collect(),
            body: body.clone(),
        })
    }

    /// Returns the answer in place of a reply that says that it has not changed. What the reply says of the token and of
    /// the budget counts.
    fn as_reply(&self, mut reply: Reply) -> Reply {
        reply.head.status = StatusCode::OK;
        for (name, value) in &self.headers {
            reply.head.headers.insert(name.clone(), value.clone());
        }
        reply.body = Ok(self.body.clone());
        reply
    }
}

impl Answers {
    fn put(&mut self, key: AnswerKey, answer: KnownAnswer) {
        self.remove(&key);
        self.bytes += answer.body.len();
        self.known.insert(key, answer);
        while self.known.len() > MOST_ANSWERS || self.bytes > MOST_BYTES {
            let Some((_, oldest)) = self.known.shift_remove_index(0) else {
                return;
            };
            self.bytes = self.bytes.saturating_sub(oldest.body.len());
        }
    }

    fn remove(&mut self, key: &AnswerKey) {
        if let Some(known) = self.known.shift_remove(key) {
            self.bytes = self.bytes.saturating_sub(known.body.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::Head;

    fn key(address: &str) -> AnswerKey {
        AnswerKey {
            address: address.to_owned(),
            accept: None,
        }
    }

    fn reply(status: StatusCode, headers: &[(&'static str, &str)], body: Vec<u8>) -> Reply {
        let headers = headers.iter().map(|(name, value)| {
            let name = http::HeaderName::from_static(name);
            (name, HeaderValue::from_str(value).unwrap())
        });
        Reply {
            head: Head {
                status,
                headers: headers.collect(),
            },
            body: Ok(body.into()),
        }
    }

    fn read(answers: &RememberedAnswers, address: &str, reply: Reply) -> Reply {
        let known = answers.get(&key(address));
        answers.complete(key(address), known, reply)
    }

    fn tagged(size: usize) -> Reply {
        reply(StatusCode::OK, &[("etag", "W/\"a\"")], vec![b' '; size])
    }

    #[test]
    fn an_answer_that_has_not_changed_is_given_again() {
        let answers = RememberedAnswers::default();
        let first = [
            ("etag", "W/\"a\""),
            ("link", "<https://x/?page=2>; rel=\"next\""),
            ("x-ratelimit-remaining", "9"),
        ];
        read(
            &answers,
            "/a",
            reply(StatusCode::OK, &first, b"[1]".to_vec()),
        );
        assert_eq!(answers.get(&key("/a")).unwrap().tag, "W/\"a\"");
        let unchanged = [("x-ratelimit-remaining", "8")];
        let unchanged = reply(StatusCode::NOT_MODIFIED, &unchanged, Vec::new());
        let again = read(&answers, "/a", unchanged);
        assert_eq!(again.head.status, StatusCode::OK);
        assert_eq!(again.body.unwrap(), "[1]");
        assert_eq!(again.head.headers["x-ratelimit-remaining"], "8");
        assert!(again.head.headers.contains_key("link"));
    }

    #[test]
    fn what_was_not_asked_for_is_not_made_up() {
        let answers = RememberedAnswers::default();
        let unchanged = reply(StatusCode::NOT_MODIFIED, &[], Vec::new());
        let reply = read(&answers, "/a", unchanged);
        assert_eq!(reply.head.status, StatusCode::NOT_MODIFIED);
    }

    #[test]
    fn only_complete_json_with_a_tag_is_remembered() {
        let tag = ("etag", "W/\"a\"");
        for (what, reply) in [
            ("no tag", reply(StatusCode::OK, &[], b"1".to_vec())),
            (
                "not found",
                reply(StatusCode::NOT_FOUND, &[tag], b"1".to_vec()),
            ),
            (
                "not ready",
                reply(StatusCode::ACCEPTED, &[tag], b"1".to_vec()),
            ),
            (
                "text",
                reply(
                    StatusCode::OK,
                    &[tag, ("content-type", "text/html")],
                    b"1".to_vec(),
                ),
            ),
            ("large", tagged(LARGEST + 1)),
        ] {
            let answers = RememberedAnswers::default();
            read(&answers, "/a", tagged(1));
            read(&answers, "/a", reply);
            assert!(answers.get(&key("/a")).is_none(), "{what}");
        }
    }

    #[test]
    fn media_types_are_kept_apart() {
        let answers = RememberedAnswers::default();
        read(&answers, "/a", tagged(1));
        let other = AnswerKey {
            accept: Some(HeaderValue::from_static("application/vnd.github.raw+json")),
            ..key("/a")
        };
        assert!(answers.get(&other).is_none());
    }

    #[test]
    fn their_number_is_bounded() {
        let answers = RememberedAnswers::default();
        for number in 0..MOST_ANSWERS {
            read(&answers, &number.to_string(), tagged(1));
        }
        // The first is used again, so the second goes.
        let unchanged = reply(StatusCode::NOT_MODIFIED, &[], Vec::new());
        read(&answers, "0", unchanged);
        read(&answers, "new", tagged(1));
        assert_eq!(answers.lock().known.len(), MOST_ANSWERS);
        assert!(answers.get(&key("0")).is_some());
        assert!(answers.get(&key("1")).is_none());
    }

    #[test]
    fn their_size_is_bounded() {
        let answers = RememberedAnswers::default();
        for number in 0..20 {
            read(&answers, &number.to_string(), tagged(LARGEST));
        }
        let counted: usize = answers.lock().known.values().map(|it| it.body.len()).sum();
        assert_eq!(counted, answers.lock().bytes);
        assert_eq!(counted, MOST_BYTES);
        read(&answers, "19", tagged(1));
        assert_eq!(answers.lock().bytes, MOST_BYTES - LARGEST + 1);
    }
}
