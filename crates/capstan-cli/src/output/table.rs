//! Tables without lines, as wide as the terminal.

use std::fmt;

use comfy_table::{ColumnConstraint, ContentArrangement, Width, presets};

pub(crate) struct Table(comfy_table::Table);

impl Table {
    pub(crate) fn new(header: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let mut table = comfy_table::Table::new();
        table.load_style(presets::NOTHING);
        if Self::room().is_some() {
            table.set_content_arrangement(ContentArrangement::Dynamic);
        }
        let header: Vec<String> = header
            .into_iter()
            .map(|cell| cell.into().to_uppercase())
            .collect();
        if header.iter().any(|cell| !cell.is_empty()) {
            table.set_header(header);
        }
        Self(table)
    }

    /// The width of the terminal, if tables fit into it. Some do not know theirs and say 0.
    pub(crate) fn room() -> Option<usize> {
        let width = comfy_table::Table::new().width();
        width.map(usize::from).filter(|width| *width >= 40)
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.0
            .add_row(cells.into_iter().map(Into::into).collect::<Vec<String>>());
    }

    /// Keeps the first column in one piece.
    pub(crate) fn keep_first_column(&mut self) {
        if let Some(column) = self.0.column_mut(0) {
            column.set_constraint(ColumnConstraint::LowerBoundary(Width::Percentage(5)));
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.to_string();
        let lines: Vec<_> = text
            .lines()
            .map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end())
            .collect();
        f.write_str(&lines.join("\n"))
    }
}
