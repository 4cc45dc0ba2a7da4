//! Where things stand. Whole numbers only, so that a drawing is the same everywhere.

use std::collections::BTreeMap;

use crate::Plan;

pub(super) const BOX_WIDTH: usize = 212;
/// Of a box of three lines, and of each further one.
pub(super) const BOX_HEIGHT: usize = 64;
pub(super) const LINE_HEIGHT: usize = 17;
/// Between columns, where edges run.
pub(super) const GAP: usize = 104;
/// Between rows, where edges run that pass other columns.
const ALLEY: usize = 36;
const MARGIN: usize = 24;
/// Above everything: the title.
const HEAD: usize = 40;
/// Around the boxes of a composite, and for its name above them.
const PADDING: usize = 10;
const CAPTION: usize = 20;

pub(super) struct Layout {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) box_height: usize,
    /// By the number of the node.
    pub(super) boxes: BTreeMap<usize, Place>,
    pub(super) lanes: Vec<Lane>,
}

#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) column: usize,
    pub(super) x: usize,
    pub(super) y: usize,
    /// The middle of the alley above its row.
    pub(super) alley: usize,
}

/// The room of one composite.
pub(super) struct Lane {
    pub(super) scope: usize,
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) width: usize,
    pub(super) height: usize,
}

/// Every level is a column. A composite has a part of the grid to itself, so that nothing stands where
/// something else does and no edge must pass through a box.
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
        let place = Place {
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

/// Columns and rows, before it is known how high the rows are.
#[derive(Default)]
struct Grid {
    cells: BTreeMap<(usize, usize), usize>,
    lanes: Vec<Area>,
    /// How many rows of each column are taken.
    used: Vec<usize>,
}

/// Where a composite is; all four are within.
struct Area {
    scope: usize,
    left: usize,
    right: usize,
    top: usize,
    bottom: usize,
}

/// Where a row begins.
struct Row {
    alley: usize,
    boxes: usize,
}

impl Grid {
    /// The leaves of a scope by columns, below what is there already.
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

    /// A row in which a composite begins has room for its name.
    fn rows(&self, box_height: usize) -> Vec<Row> {
        let count = self.cells.keys().map(|(_, row)| row + 1).max().unwrap_or(0);
        let mut y = MARGIN + HEAD;
        let rows = (0..count).map(|row| {
            let has_caption = self.lanes.iter().any(|it| it.top == row);
            let alley = y + ALLEY / 2;
            let boxes = y + ALLEY + if has_caption { CAPTION } else { 0 };
            y = boxes + box_height;
            Row { alley, boxes }
        });
        rows.collect()
    }
}

fn x_of(column: usize) -> usize {
    MARGIN + PADDING + column * (BOX_WIDTH + GAP)
}
