//! What stands beside the occurrences of one merge, on one side of them.

use super::pairs::{Pairs, NO_PLACE};

#[derive(Clone, Copy, Default)]
pub struct Cell {
    /// The counts of the words, added up; 0 for what was not seen.
    pub count: u64,
    /// How many positions were noted; then, in `Pairs::positions`, the place of the next one.
    pub place: usize,
}

/// Notes are folded: each neighbour is looked up once for a merge, however often it occurs.
#[derive(Default)]
pub struct Neighbours {
    /// By the neighbour's id. All are empty between two merges.
    pub cells: Vec<Cell>,
    pub seen: Vec<u32>,
    /// A neighbour, and the position of the new pair that it is in; ascending.
    notes: Vec<(u32, u32)>,
}

impl Neighbours {
    /// Makes room for ids below `ids`.
    pub fn reserve(&mut self, ids: usize) {
        self.cells.resize(ids, Cell::default());
    }

    #[inline]
    pub fn note(&mut self, neighbour: u32, position: u32, count: u64) {
        let cell = &mut self.cells[neighbour as usize];
        if cell.count == 0 {
            self.seen.push(neighbour);
        }
        cell.count += count;
        cell.place += 1;
        self.notes.push((neighbour, position));
    }

    /// Writes the positions to their places, and forgets everything.
    pub fn settle(&mut self, pairs: &mut Pairs) {
        for &(neighbour, position) in &self.notes {
            let cell = &mut self.cells[neighbour as usize];
            if cell.place != NO_PLACE {
                pairs.positions[cell.place] = position;
                cell.place += 1;
            }
        }
        for neighbour in self.seen.drain(..) {
            self.cells[neighbour as usize] = Cell::default();
        }
        self.notes.clear();
    }
}
