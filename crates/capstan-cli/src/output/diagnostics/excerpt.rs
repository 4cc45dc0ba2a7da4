//! The lines of a file that a diagnostic is about, cut to fit the terminal.

use std::collections::BTreeMap;

use capstan_core::{Diagnostic, Position, Redactor, Span};
use miette::{LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use super::super::sanitize;
use super::folded::folded;
use super::shown_line::ShownLine;

/// The number of lines before and after each highlight. It is the same in miette's handler.
const CONTEXT_LINES: usize = 1;
/// The width of `╰── ` before the text of a label.
const ARROW_WIDTH: usize = 4;
/// The smallest width to which labels are wrapped.
const MIN_LABEL_WIDTH: usize = 24;

/// A part of a file. It reports the line numbers and columns of the file, not those of the excerpt.
#[derive(Debug)]
pub(super) struct Excerpt {
    name: String,
    text: String,
    /// The number of lines of the file before the excerpt.
    before: usize,
    highlights: Vec<Highlight>,
}

/// A highlighted span of the excerpt.
#[derive(Debug)]
struct Highlight {
    /// The span in the excerpt.
    span: Span,
    label: Option<String>,
    primary: bool,
    /// The position in the file.
    position: Position,
}

/// A span of the file to highlight.
struct SourceHighlight<'a> {
    /// The span in the file.
    span: Span,
    position: Position,
    label: Option<&'a str>,
    primary: bool,
}

impl Excerpt {
    /// Returns the excerpt of a diagnostic, at most `width` columns wide. `None` if the diagnostic has no span.
    pub(super) fn new(diagnostic: &Diagnostic, redactor: &Redactor, width: usize) -> Option<Self> {
        let source = &diagnostic.source;
        let source_highlight = |span: Span, label, primary| SourceHighlight {
            span,
            position: source.position(span.start),
            label,
            primary,
        };
        // A label with the span of the diagnostic itself belongs to its primary highlight.
        let primary = diagnostic.span?;
        let mut labels: Vec<_> = diagnostic.labels.iter().collect();
        let own_index = labels.iter().position(|it| it.span == primary);
        let own = own_index.map(|index| labels.remove(index).message.as_str());
        let mut all = vec![source_highlight(primary, own, true)];
        all.extend(
            labels
                .iter()
                .map(|it| source_highlight(it.span, Some(it.message.as_str()), false)),
        );

        let numbers = all.iter().map(|it| it.position.line - 1);
        let before = numbers.clone().min()?.saturating_sub(CONTEXT_LINES);
        let last = numbers.max()? + CONTEXT_LINES;
        let gutter = (last + 1).to_string().len() + ARROW_WIDTH;
        let room = width.saturating_sub(gutter).max(MIN_LABEL_WIDTH);

        let mut text = String::new();
        let mut highlights: BTreeMap<usize, Highlight> = BTreeMap::new();
        let lines = source.text.split('\n').enumerate();
        for (number, line) in lines.skip(before).take(last + 1 - before) {
            let line = line.strip_suffix('\r').unwrap_or(line);
            let numbered = all.iter().enumerate();
            let here: Vec<_> = numbered
                .filter(|(_, it)| it.position.line - 1 == number)
                .collect();
            let line_start = match here.first() {
                Some((_, it)) => start_of_line(&source.text, it.span.start),
                None => 0,
            };
            if line.is_empty() && here.is_empty() && number == last {
                // The empty text after the last line end of the file is not shown.
                break;
            }
            let redacted = redactor.text(line);
            let bounds = |span: Span| {
                if redacted == line {
                    let from = span.start.saturating_sub(line_start).min(line.len());
                    (
                        from,
                        (span.end.saturating_sub(line_start)).clamp(from, line.len()),
                    )
                } else {
                    // The whole line is highlighted, because the span would show the length of the secret.
                    (0, redacted.len())
                }
            };
            let focus = here.first().map_or((0, 0), |(_, it)| bounds(it.span));
            let most = if here.iter().any(|(_, it)| it.label.is_some()) {
                room.saturating_sub(ARROW_WIDTH + MIN_LABEL_WIDTH)
            } else {
                room
            };
            let shown = ShownLine::new(&redacted, room, focus, most);
            for (index, source_highlight) in here {
                let (from, to) = bounds(source_highlight.span);
                let (from, to) = (shown.position(from), shown.position(to));
                let middle = (from.column + to.column) / 2 + ARROW_WIDTH;
                let label = source_highlight.label.map(|label| {
                    let redacted = redactor.text(label);
                    let space = room.saturating_sub(middle).max(MIN_LABEL_WIDTH);
                    folded(&sanitize(&redacted), space)
                });
                let highlight = Highlight {
                    span: Span {
                        start: text.len() + from.byte,
                        end: text.len() + to.byte,
                    },
                    label,
                    primary: source_highlight.primary,
                    position: source_highlight.position,
                };
                highlights.insert(index, highlight);
            }
            text.push_str(&shown.text);
            text.push('\n');
        }
        Some(Self {
            name: sanitize(&redactor.text(&source.name)).into_owned(),
            text,
            before,
            highlights: highlights.into_values().collect(),
        })
    }

    pub(super) fn labels(&self) -> Vec<LabeledSpan> {
        let labels = self.highlights.iter().map(|highlight| {
            let span = SourceSpan::from(highlight.span.start..highlight.span.end);
            if highlight.primary {
                LabeledSpan::new_primary_with_span(highlight.label.clone(), span)
            } else {
                LabeledSpan::new_with_span(highlight.label.clone(), span)
            }
        });
        labels.collect()
    }
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let read = self.text.read_span(span, before, after)?;
        let is_this = |highlight: &&Highlight| {
            highlight.span.start == span.offset()
                && highlight.span.end - highlight.span.start == span.len()
        };
        // miette asks for a span without context when it prints the position of the diagnostic.
        let is_position = before == 0 && after == 0;
        let highlight = if is_position {
            self.highlights.iter().find(is_this)
        } else {
            None
        };
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            read.data(),
            *read.span(),
            highlight.map_or(read.line() + self.before, |highlight| {
                highlight.position.line - 1
            }),
            highlight.map_or(read.column(), |highlight| highlight.position.column - 1),
            read.line_count(),
        )))
    }
}

fn start_of_line(text: &str, offset: usize) -> usize {
    let before = text.get(..offset).unwrap_or(text);
    before.rfind('\n').map_or(0, |newline| newline + 1)
}
