//! Reads a server's answer and checks it: one vector for each text, all of one length.

use serde::Deserialize;

use crate::vector::normalize;

#[derive(Deserialize)]
struct Answer {
    data: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    /// The index of its text. If it is missing, rows are in the order of the texts.
    index: Option<usize>,
    /// Wider than necessary: whether the parser refuses a number that is too large for 32 bits
    /// depends on its features.
    embedding: Vec<f64>,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum AnswerError {
    #[error("it is not a list of embeddings: {0}")]
    Json(#[from] serde_json::Error),
    #[error("it has {actual} vectors for {expected} texts")]
    Count { actual: usize, expected: usize },
    #[error("it has no vector, or two, for text {0}")]
    Index(usize),
    #[error("it has a vector of {actual} numbers where others have {expected}")]
    Length { actual: usize, expected: usize },
    #[error("it has a vector without a direction")]
    Direction,
}

/// Reads the vectors of `texts` texts, each normalized to length 1. `known` is the dimension of
/// earlier vectors.
pub(super) fn read(
    body: &[u8],
    texts: usize,
    known: Option<usize>,
) -> Result<Vec<Vec<f32>>, AnswerError> {
    let answer: Answer = serde_json::from_slice(body)?;
    let actual = answer.data.len();
    if actual != texts {
        let expected = texts;
        return Err(AnswerError::Count { actual, expected });
    }
    let expected = known.or(answer.data.first().map(|row| row.embedding.len()));
    let mut vectors = vec![None; texts];
    for (place, row) in answer.data.into_iter().enumerate() {
        let place = row.index.unwrap_or(place);
        let actual = row.embedding.len();
        if let Some(expected) = expected.filter(|expected| *expected != actual) {
            return Err(AnswerError::Length { actual, expected });
        }
        let free = vectors.get_mut(place).filter(|vector| vector.is_none());
        *free.ok_or(AnswerError::Index(place))? = Some(unit_vector(&row.embedding)?);
    }
    let vectors = vectors.into_iter().enumerate();
    vectors
        .map(|(place, vector)| vector.ok_or(AnswerError::Index(place)))
        .collect()
}

fn unit_vector(vector: &[f64]) -> Result<Vec<f32>, AnswerError> {
    let mut vector: Vec<f32> = vector.iter().map(|&x| x as f32).collect();
    let sum: f32 = vector.iter().map(|x| x * x).sum();
    if !sum.is_normal() {
        return Err(AnswerError::Direction);
    }
    normalize(&mut vector);
    Ok(vector)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_go_to_their_places() {
        let body =
            br#"{"data":[{"index":1,"embedding":[0,2]},{"index":0,"embedding":[3,4]}],"x":1}"#;
        assert_eq!(read(body, 2, None).unwrap(), [[0.6, 0.8], [0.0, 1.0]]);
        let body = br#"{"data":[{"embedding":[2]},{"embedding":[-2]}]}"#;
        assert_eq!(read(body, 2, Some(1)).unwrap(), [[1.0], [-1.0]]);
    }

    #[test]
    fn what_does_not_fit_is_told() {
        for (body, why) in [
            ("", "not a list"),
            ("[]", "not a list"),
            (r#"{"data":[]}"#, "0 vectors for 2"),
            (r#"{"data":[{"embedding":[1]}]}"#, "1 vectors for 2"),
            (
                r#"{"data":[{"embedding":"AAAA"},{"embedding":[1]}]}"#,
                "not a list",
            ),
            (
                r#"{"data":[{"embedding":[1]},{"embedding":[1,2]}]}"#,
                "2 numbers",
            ),
            (
                r#"{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}"#,
                "text 0",
            ),
            (
                r#"{"data":[{"index":7,"embedding":[1]},{"index":0,"embedding":[1]}]}"#,
                "text 7",
            ),
            (
                r#"{"data":[{"embedding":[0]},{"embedding":[1]}]}"#,
                "direction",
            ),
            (
                r#"{"data":[{"embedding":[1e300]},{"embedding":[1]}]}"#,
                "direction",
            ),
            (
                r#"{"data":[{"embedding":[]},{"embedding":[]}]}"#,
                "direction",
            ),
        ] {
            let error = read(body.as_bytes(), 2, None).unwrap_err().to_string();
            assert!(error.contains(why), "{body}: {error}");
        }
        let body = br#"{"data":[{"embedding":[1]}]}"#;
        assert!(read(body, 1, Some(2)).is_err(), "it had two numbers before");
    }
}
