//! Where things stand. Whole numbers only, so that a drawing is the same everywhere.

use std::collections::BTreeMap;

use crate::Plan;

pub(super) const BOX_WIDTH: usize = 212;
pub(super) const BOX_HEIGHT: usize = 64;
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

/// The rows of one composite.
pub(super) struct Lane {
    pub(super) scope: usize,
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) width: usize,
    pub(super) height: usize,
}

/// Every level is a column; every scope has rows of its own, so that nothing stands where something else
/// does and no edge must pass through a box.
pub(super) fn layout(plan: &Plan) -> Layout {
    let levels = plan.levels();
    let mut layout = Layout {
        width: 0,
        height: 0,
        boxes: BTreeMap::new(),
        lanes: Vec::new(),
    };
    let mut top = MARGIN + HEAD;
    for scope in 0..plan.scopes.len() {
        let mut columns: Vec<(usize, Vec<usize>)> = Vec::new();
        for (column, level) in levels.iter().enumerate() {
            let own = level.iter().filter(|it| plan.nodes[**it].scope == scope);
            let own: Vec<usize> = own.copied().collect();
            if !own.is_empty() {
                columns.push((column, own));
            }
        }
        let rows = columns.iter().map(|(_, own)| own.len()).max();
        let (Some(rows), Some((first, _)), Some((last, _))) =
            (rows, columns.first(), columns.last())
        else {
            continue;
        };
        let caption = if scope == 0 { 0 } else { CAPTION };
        for (column, own) in &columns {
            for (row, node) in own.iter().enumerate() {
                let start = top + row * (ALLEY + BOX_HEIGHT);
                // The caption of a lane stands above its first row only.
                let lower = if row == 0 { 0 } else { caption };
                let place = Place {
                    column: *column,
                    x: x_of(*column),
                    y: start + ALLEY + caption,
                    alley: start + ALLEY / 2 + lower,
                };
                layout.boxes.insert(*node, place);
            }
        }
        let height = rows * BOX_HEIGHT + (rows - 1) * ALLEY;
        if scope > 0 {
            layout.lanes.push(Lane {
                scope,
                x: x_of(*first) - PADDING,
                y: top + ALLEY + caption - CAPTION,
                width: x_of(*last) + BOX_WIDTH - x_of(*first) + 2 * PADDING,
                height: height + CAPTION + PADDING,
            });
        }
        top += ALLEY + caption + height;
    }
    layout.height = top + MARGIN + PADDING;
    layout.width = x_of(levels.len().max(1) - 1) + BOX_WIDTH + MARGIN + PADDING;
    layout
}

fn x_of(column: usize) -> usize {
    MARGIN + PADDING + column * (BOX_WIDTH + GAP)
}
