//! The response to lines that cannot be run.

use capstan_engine::BadLine;

/// Returns the message about bad lines among `total` lines: each with its problem and its correct form. Good
/// lines are not mentioned.
pub fn bad_lines_text(bad: &[BadLine], total: usize) -> String {
    let mut shown_forms: Vec<&str> = Vec::new();
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
        // Each form is shown once.
        let forms = forms.iter().map(String::as_str);
        let new: Vec<_> = forms.filter(|form| !shown_forms.contains(form)).collect();
        let correction = match new.as_slice() {
            [] => String::new(),
            [form] => format!(". Right: {form}"),
            several => format!(". Did you mean:\n  {}", several.join("\n  ")),
        };
        lines.push(format!("{place}{problem}{correction}"));
        shown_forms.extend(new);
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
