//! The answer to lines that cannot be run.

use capstan_engine::BadLine;

/// Returns what to tell the caller of `total` lines when some are bad: each bad line with its problem and its right
/// form, and nothing about the others.
pub fn bad_lines_text(bad: &[BadLine], total: usize) -> String {
    let mut known: Vec<&str> = Vec::new();
    let mut lines = vec!["nothing was run".to_owned()];
    for BadLine {
        line,
        problem,
        forms,
    } in bad
    {
        let place = if total > 1 {
            format!("[{line}] ")
        } else {
            String::new()
        };
        // One form is enough for all lines of a capability.
        let new = forms.iter().map(String::as_str);
        let new: Vec<_> = new.filter(|form| !known.contains(form)).collect();
        let forms = match new.as_slice() {
            [] => String::new(),
            [form] => format!(". Right: {form}"),
            several => format!(". Did you mean:\n  {}", several.join("\n  ")),
        };
        lines.push(format!("{place}{problem}{forms}"));
        known.extend(new);
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bad(line: usize, problem: &str, forms: &[&str]) -> BadLine {
        BadLine {
            line,
            problem: problem.to_owned(),
            forms: forms.iter().map(|form| (*form).to_owned()).collect(),
        }
    }

    #[test]
    fn a_form_is_shown_once() {
        let close = "issue.close NUMBER";
        let bad = [
            bad(0, "no number", &[close]),
            bad(2, "two numbers", &[close]),
            bad(3, "no such capability", &["issue.view", "issue.list"]),
        ];
        let expected = "nothing was run\n[0] no number. Right: issue.close NUMBER\n[2] two numbers\n\
                        [3] no such capability. Did you mean:\n  issue.view\n  issue.list";
        assert_eq!(bad_lines_text(&bad, 4), expected);
    }

    #[test]
    fn a_single_line_needs_no_place() {
        let text = bad_lines_text(&[bad(0, "no number", &[])], 1);
        assert_eq!(text, "nothing was run\nno number");
    }
}
