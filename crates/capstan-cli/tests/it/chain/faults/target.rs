//! The chains of the fault matrix: four steps each, and which of their requests are hit.

use capstan_core::ChainStep;
use capstan_core::card::Card;
use capstan_engine::ChunkLimits;
use github_sim::{Fault, FaultKind, Sim};
use serde_json::json;

use super::super::cards;
use super::super::steps::{close, comment, exactly, view};
use super::super::world::{comments_saying, is_closed, node_id};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// Four reads, one of them of a field that is never null.
    Reads,
    /// Four that set a state, which a read can verify.
    Close,
    /// Four that make something new, which nobody can verify.
    Comment,
    /// Reads and writes, of which the writes are hit.
    Mixed,
    /// The same, where the reads are hit, and the lookups of the writes with them.
    MixedReads,
    /// Four writes in two requests.
    Chunks,
    /// Four writes, where nobody can look any more once they were sent.
    Blind,
}

/// What a step is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    Read,
    Close(u64),
    Comment(u64),
}

impl Target {
    pub(super) fn deeds(self) -> [Deed; 4] {
        use Deed::{Close, Comment, Read};
        match self {
            Target::Reads => [Read; 4],
            Target::Close => [Close(1), Close(2), Close(3), Close(5)],
            Target::Comment => [Comment(1), Comment(2), Comment(3), Comment(5)],
            Target::Mixed | Target::MixedReads => [Read, Close(1), Read, Comment(2)],
            Target::Chunks => [Close(1), Comment(2), Close(3), Comment(5)],
            Target::Blind => [Close(1), Close(2), Comment(3), Close(5)],
        }
    }

    pub(super) fn steps(self) -> Vec<ChainStep> {
        let deeds = self.deeds().into_iter().enumerate();
        deeds
            .map(|(index, deed)| match deed {
                Deed::Read if self == Target::Reads && index == 1 => exactly("me.view", &json!({})),
                Deed::Read => view(6 + index as u64),
                Deed::Close(issue) => close(issue),
                Deed::Comment(issue) => comment(issue, &remark(index)),
            })
            .collect()
    }

    pub(super) fn cards() -> Vec<Card> {
        vec![cards::me()]
    }

    pub(super) fn limits(self) -> ChunkLimits {
        let all = ChunkLimits::default();
        match self {
            Target::Chunks => ChunkLimits { writes: 2, ..all },
            _ => all,
        }
    }

    /// Restricts a fault to the requests that it is to hit.
    pub(super) fn aim(self, fault: Fault) -> Fault {
        match self {
            Target::Reads | Target::MixedReads => fault.on_reads(),
            _ => fault.on_writes(),
        }
    }

    /// What goes wrong besides.
    pub(super) fn also(self) -> Option<Fault> {
        // Lookups are answered, and what is read after them is too much, also in parts.
        let blind = Fault::always(FaultKind::Status502Html).on_reads().after(1);
        (self == Target::Blind).then_some(blind)
    }

    pub(super) fn hits_writes(self) -> bool {
        !matches!(self, Target::Reads | Target::MixedReads)
    }

    /// The step that a fault hits which hits one step, as the batch calls it.
    pub(super) fn victim(self) -> String {
        let index = usize::from(self != Target::MixedReads);
        self.alias(index)
    }

    /// What the batch calls a step.
    pub(super) fn alias(self, index: usize) -> String {
        let task = self.steps()[index].request.capability.replace('.', "_");
        format!("{task}_{index}")
    }
}

impl Deed {
    pub(super) fn is_write(self) -> bool {
        self != Deed::Read
    }

    /// A text that is in the write of this step and in no other.
    pub(super) fn mark(self, index: usize, sim: &Sim) -> Option<String> {
        match self {
            Deed::Read => None,
            Deed::Close(issue) => Some(node_id(sim, issue)),
            Deed::Comment(_) => Some(remark(index)),
        }
    }

    /// How many times the world shows it.
    pub(super) fn done(self, index: usize, sim: &Sim) -> usize {
        match self {
            Deed::Read => 0,
            Deed::Close(issue) => usize::from(is_closed(sim, issue)),
            Deed::Comment(issue) => comments_saying(sim, issue, &remark(index)),
        }
    }
}

fn remark(index: usize) -> String {
    format!("Remark number {index}.")
}
