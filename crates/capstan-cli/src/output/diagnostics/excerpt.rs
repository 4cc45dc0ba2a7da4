//! The lines that a diagnostic is about, made to fit.

use std::collections::BTreeMap;

use capstan_core::{Diagnostic, Position, Redactor, Span};
use miette::{LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use super::super::harmless;
use super::folded::folded;
use super::shown_line::ShownLine;

/// How many lines are shown before and after each place; the handler shows as many.
const AROUND: usize = 1;
/// What stands before the text of a label: `╰── `.
const ARROW: usize = 4;
/// Labels are not broken into narrower columns.
const NARROWEST_LABEL: usize = 24;

/// A part of a file. Lines keep their numbers, and places say their true columns.
#[derive(Debug)]
pub(super) struct Excerpt {
    name: String,
    text: String,
    /// How many lines of the file are left out before the text.
    before: usize,
    marks: Vec<Mark>,
}

#[derive(Debug)]
struct Mark {
    /// In the text.
    span: Span,
    label: Option<String>,
    primary: bool,
    /// In the file.
    place: Position,
}

/// Something to show, before it is known where.
struct Wanted<'a> {
    /// In the file.
    span: Span,
    place: Position,
    label: Option<&'a str>,
    primary: bool,
}

impl Excerpt {
    /// Nothing if the diagnostic is about no place.
    pub(super) fn of(diagnostic: &Diagnostic, redactor: &Redactor, width: usize) -> Option<Self> {
        let source = &diagnostic.source;
        let wanted = |span: Span, label, primary| Wanted {
            span,
            place: source.position(span.start),
            label,
            primary,
        };
        // What is said of the place itself stands there once.
        let primary = diagnostic.span?;
        let mut labels: Vec<_> = diagnostic.labels.iter().collect();
        let own = labels.iter().position(|it| it.span == primary);
        let own = own.map(|index| labels.remove(index).message.as_str());
        let mut all = vec![wanted(primary, own, true)];
        let labels = labels.iter();
        all.extend(labels.map(|it| wanted(it.span, Some(it.message.as_str()), false)));

        let numbers = all.iter().map(|it| it.place.line - 1);
        let before = numbers.clone().min()?.saturating_sub(AROUND);
        let last = numbers.max()? + AROUND;
        let gutter = (last + 1).to_string().len() + ARROW;
        let room = width.saturating_sub(gutter).max(NARROWEST_LABEL);

        let mut text = String::new();
        let mut marks: BTreeMap<usize, Mark> = BTreeMap::new();
        let lines = source.text.split('\n').enumerate();
        for (number, line) in lines.skip(before).take(last + 1 - before) {
            let line = line.strip_suffix('\r').unwrap_or(line);
            let here = all.iter().enumerate();
            let here: Vec<_> = here.filter(|(_, it)| it.place.line - 1 == number).collect();
            let line_start = match here.first() {
                Some((_, it)) => start_of_line(&source.text, it.span.start),
                None => 0,
            };
            if line.is_empty() && here.is_empty() && number == last {
                // The end of the file, or of nothing.
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
                    // Nobody is told how long a secret is.
                    (0, redacted.len())
                }
            };
            let focus = here.first().map_or((0, 0), |(_, it)| bounds(it.span));
            let most = if here.iter().any(|(_, it)| it.label.is_some()) {
                room.saturating_sub(ARROW + NARROWEST_LABEL)
            } else {
                room
            };
            let shown = ShownLine::new(&redacted, room, focus, most);
            for (index, wanted) in here {
                let (from, to) = bounds(wanted.span);
                let (from, to) = (shown.place(from), shown.place(to));
                let middle = (from.column + to.column) / 2 + ARROW;
                let label = wanted.label.map(|label| {
                    let label = redactor.text(label);
                    let space = room.saturating_sub(middle).max(NARROWEST_LABEL);
                    folded(&harmless(&label), space)
                });
                let mark = Mark {
                    span: Span {
                        start: text.len() + from.byte,
                        end: text.len() + to.byte,
                    },
                    label,
                    primary: wanted.primary,
                    place: wanted.place,
                };
                marks.insert(index, mark);
            }
            text.push_str(&shown.text);
            text.push('\n');
        }
        Some(Self {
            name: harmless(&redactor.text(&source.name)).into_owned(),
            text,
            before,
            marks: marks.into_values().collect(),
        })
    }

    pub(super) fn labels(&self) -> Vec<LabeledSpan> {
        let labels = self.marks.iter().map(|mark| {
            let span = SourceSpan::from(mark.span.start..mark.span.end);
            if mark.primary {
                LabeledSpan::new_primary_with_span(mark.label.clone(), span)
            } else {
                LabeledSpan::new_with_span(mark.label.clone(), span)
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
        let is_this = |mark: &&Mark| {
            mark.span.start == span.offset() && mark.span.end - mark.span.start == span.len()
        };
        // Asked for alone, a mark is about to be named.
        let alone = before == 0 && after == 0;
        let mark = self.marks.iter().find(is_this).filter(|_| alone);
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            read.data(),
            *read.span(),
            mark.map_or(read.line() + self.before, |mark| mark.place.line - 1),
            mark.map_or(read.column(), |mark| mark.place.column - 1),
            read.line_count(),
        )))
    }
}

fn start_of_line(text: &str, offset: usize) -> usize {
    let before = text.get(..offset).unwrap_or(text);
    before.rfind('\n').map_or(0, |newline| newline + 1)
}
