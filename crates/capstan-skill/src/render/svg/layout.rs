//! Computes positions. All are whole numbers, so that a drawing is the same on every machine.

use std::collections::BTreeMap;

use crate::Plan;

pub(super) const BOX_WIDTH: usize = 212;
/// The height of a box with three lines, and of each additional line.
pub(super) const BOX_HEIGHT: usize = 64;
pub(super) const LINE_HEIGHT: usize = 17;
/// The space between columns, in which edges run.
pub(super) const GAP: usize = 104;
/// The space between rows, in which edges run that pass other columns.
const ALLEY: usize = 36;
const MARGIN: usize = 24;
/// The space for the title at the top.
const HEAD: usize = 40;
/// The space around the boxes of a composite, and the space for its name above them.
const PADDING: usize = 10;
const CAPTION: usize = 20;

pub(super) struct Layout {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) box_height: usize,
    /// The position of each box, by the index of its node.
    pub(super) boxes: BTreeMap<usize, BoxPosition>,
    pub(super) lanes: Vec<Lane>,
}

#[derive(Clone, Copy)]
pub(super) struct BoxPosition {
    pub(super) column: usize,
    pub(super) x: usize,
    pub(super) y: usize,
    /// The middle of the alley above its row.
    pub(super) alley: usize,
}

/// The area of one composite.
pub(super) struct Lane {
    pub(super) scope: usize,
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) width: usize,
    pub(super) height: usize,
}

/// Computes the layout. Every level is a column. Each composite has its own part of the grid, so that boxes
/// do not overlap and no edge passes through a box.
pub(super) fn layout(plan: &Plan, box_height: usize) -> Layout {
    let levels = plan.levels();
    let mut grid = Grid::default();
    for scope in 0..plan.scopes.len() {
        let own = |level: &Vec<usize>| -> Vec<usize> {
            let own = level.iter().filter(|it| plan.nodes[**it].scope == scope);
            own.copied().collect()
        };
        let columns: Vec<_> = levels.iter().map(own).collect();
        grid.place(scope, &columns);
    }
    let rows = grid.rows(box_height);
    let boxes = grid.cells.iter().map(|((column, row), node)| {
        let place = BoxPosition {
            column: *column,
            x: x_of(*column),
            y: rows[*row].boxes,
            alley: rows[*row].alley,
        };
        (*node, place)
    });
    let lanes = grid.lanes.iter().map(|area| {
        let (first, last) = (rows[area.top].boxes, rows[area.bottom].boxes);
        Lane {
            scope: area.scope,
            x: x_of(area.left) - PADDING,
            y: first - CAPTION,
            width: x_of(area.right) + BOX_WIDTH - x_of(area.left) + 2 * PADDING,
            height: last + box_height - first + CAPTION + PADDING,
        }
    });
    let bottom = rows
        .last()
        .map_or(MARGIN + HEAD, |it| it.boxes + box_height);
    Layout {
        width: x_of(levels.len().max(1) - 1) + BOX_WIDTH + MARGIN + PADDING,
        height: bottom + MARGIN + PADDING,
        box_height,
        boxes: boxes.collect(),
        lanes: lanes.collect(),
    }
}

/// Columns and rows, before the heights of the rows are known.
#[derive(Default)]
struct Grid {
    cells: BTreeMap<(usize, usize), usize>,
    lanes: Vec<Area>,
    /// The number of occupied rows in each column.
    used: Vec<usize>,
}

/// The area of a composite in the grid; all four bounds are inclusive.
struct Area {
    scope: usize,
    left: usize,
    right: usize,
    top: usize,
    bottom: usize,
}

/// The vertical positions of a row.
struct RowPosition {
    alley: usize,
    boxes: usize,
}

impl Grid {
    /// Places the leaves of a scope by column, below everything placed so far.
    fn place(&mut self, scope: usize, columns: &[Vec<usize>]) {
        let left = columns.iter().position(|it| !it.is_empty());
        let right = columns.iter().rposition(|it| !it.is_empty());
        let (Some(left), Some(right)) = (left, right) else {
            return;
        };
        let height = columns.iter().map(Vec::len).max().unwrap_or(0);
        self.used.resize(columns.len(), 0);
        let mut top = 0;
        if scope > 0 {
            let used = &mut self.used[left..=right];
            top = used.iter().copied().max().unwrap_or(0);
            used.fill(top + height);
            self.lanes.push(Area {
                scope,
                left,
                right,
                top,
                bottom: top + height - 1,
            });
        }
        for (column, own) in columns.iter().enumerate() {
            self.used[column] = self.used[column].max(own.len());
            for (row, node) in own.iter().enumerate() {
                self.cells.insert((column, top + row), *node);
            }
        }
    }

    /// Computes the rows. A row in which a composite begins has space for its name.
    fn rows(&self, box_height: usize) -> Vec<RowPosition> {
        let count = self.cells.keys().map(|(_, row)| row + 1).max().unwrap_or(0);
        let mut y = MARGIN + HEAD;
        let rows = (0..count).map(|row| {
            let has_caption = self.lanes.iter().any(|it| it.top == row);
            let alley = y + ALLEY / 2;
            let boxes = y + ALLEY + if has_caption { CAPTION } else { 0 };
            y = boxes + box_height;
            RowPosition { alley, boxes }
        });
        rows.collect()
    }
}

fn x_of(column: usize) -> usize {
    MARGIN + PADDING + column * (BOX_WIDTH + GAP)
}
