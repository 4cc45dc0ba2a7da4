//! Patterns with wild cards: `*` matches any text, `?` one character.

/// Whether a pattern matches a whole text. Takes at most time proportional to the product of their lengths.
pub fn fits(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), text.chars().collect());
    let (mut p, mut t) = (0, 0);
    // The last star, and how far it reaches into the text.
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
            }
            Some('?') => {
                p += 1;
                t += 1;
            }
            Some(c) if *c == text[t] => {
                p += 1;
                t += 1;
            }
            _ => match star {
                Some((at, reach)) => {
                    star = Some((at, reach + 1));
                    p = at + 1;
                    t = reach + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn stars_and_question_marks() {
        for (pattern, text) in [
            ("*", ""),
            ("issue.*", "issue.view"),
            ("*.view", "issue.view"),
            ("i*e.v?ew", "issue.view"),
            ("**a**b*", "xaxxb"),
            ("é?", "éü"),
        ] {
            assert!(fits(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [
            ("", "a"),
            ("issue.*", "pr.view"),
            ("?", ""),
            ("a*b", "ab c"),
        ] {
            assert!(!fits(pattern, text), "{pattern} {text}");
        }
    }
}
