//! Regular expressions as programs that follow all branches at once.

use super::node::{Node, Set};

/// The largest number of instructions.
const LONGEST: usize = 4000;

#[derive(Debug)]
enum Instruction {
    /// Consumes a character.
    Take(Set),
    Start,
    End,
    WordBoundary(bool),
    /// Continues at both instructions.
    Fork(usize, usize),
    Done,
}

#[derive(Debug)]
pub(super) struct Program {
    steps: Vec<Instruction>,
}

impl Program {
    /// Compiles an expression; `None` if the program would be too long.
    pub(super) fn compile(node: &Node) -> Option<Self> {
        let mut program = Self { steps: Vec::new() };
        program.push(node)?;
        program.steps.push(Instruction::Done);
        Some(program)
    }

    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    pub(super) fn has_word_boundaries(&self) -> bool {
        let is_edge = |it: &Instruction| matches!(it, Instruction::WordBoundary(_));
        self.steps.iter().any(is_edge)
    }

    /// Whether it matches somewhere in a text.
    pub(super) fn matches(&self, text: &str) -> bool {
        let mut now = vec![false; self.steps.len()];
        let mut next = now.clone();
        let mut before = None;
        let mut rest = text.chars();
        loop {
            let one = rest.next();
            if self.reach(0, before, one, &mut now) {
                return true;
            }
            let Some(taken) = one else {
                return false;
            };
            next.fill(false);
            let after = rest.clone().next();
            for (at, step) in self.steps.iter().enumerate() {
                if let Instruction::Take(set) = step
                    && now.get(at) == Some(&true)
                    && set.has(taken)
                    && self.reach(at + 1, one, after, &mut next)
                {
                    return true;
                }
            }
            std::mem::swap(&mut now, &mut next);
            before = one;
        }
    }

    /// Marks all instructions that are reachable without consuming a character. Returns whether the end is
    /// among them.
    fn reach(
        &self,
        start: usize,
        before: Option<char>,
        after: Option<char>,
        marks: &mut [bool],
    ) -> bool {
        let mut waiting = vec![start];
        while let Some(at) = waiting.pop() {
            match marks.get_mut(at) {
                Some(mark) if !*mark => *mark = true,
                _ => continue,
            }
            let goes_on = match self.steps.get(at) {
                Some(Instruction::Done) => return true,
                Some(Instruction::Start) => before.is_none(),
                Some(Instruction::End) => after.is_none(),
                Some(Instruction::WordBoundary(wanted)) => {
                    (is_word(before) != is_word(after)) == *wanted
                }
                Some(Instruction::Fork(one, other)) => {
                    waiting.extend([*other, *one]);
                    false
                }
                Some(Instruction::Take(_)) | None => false,
            };
            if goes_on {
                waiting.push(at + 1);
            }
        }
        false
    }

    fn push(&mut self, node: &Node) -> Option<()> {
        if self.steps.len() > LONGEST {
            return None;
        }
        match node {
            Node::Set(set) => self.steps.push(Instruction::Take(set.clone())),
            Node::Start => self.steps.push(Instruction::Start),
            Node::End => self.steps.push(Instruction::End),
            Node::WordBoundary(wanted) => self.steps.push(Instruction::WordBoundary(*wanted)),
            Node::Sequence(parts) => {
                for part in parts {
                    self.push(part)?;
                }
            }
            Node::Alternatives(all) => self.push_alternatives(all)?,
            Node::Repeated(part, least, most) => {
                for _ in 0..*least {
                    self.push(part)?;
                }
                match most {
                    Some(most) => self.push_optional(part, most - least)?,
                    None => self.push_endless(part)?,
                }
            }
        }
        Some(())
    }

    fn push_alternatives(&mut self, all: &[Node]) -> Option<()> {
        let mut ends = Vec::new();
        let (last, others) = all.split_last()?;
        for one in others {
            let fork = self.reserve();
            self.push(one)?;
            ends.push(self.reserve());
            let next = self.steps.len();
            self.set(fork, fork + 1, next);
        }
        self.push(last)?;
        let end = self.steps.len();
        for at in ends {
            self.set(at, end, end);
        }
        Some(())
    }

    fn push_optional(&mut self, part: &Node, times: u32) -> Option<()> {
        let mut forks = Vec::new();
        for _ in 0..times {
            forks.push(self.reserve());
            self.push(part)?;
        }
        let end = self.steps.len();
        for fork in forks {
            self.set(fork, fork + 1, end);
        }
        Some(())
    }

    fn push_endless(&mut self, part: &Node) -> Option<()> {
        let fork = self.reserve();
        self.push(part)?;
        let back = self.reserve();
        self.set(back, fork, fork);
        let end = self.steps.len();
        self.set(fork, fork + 1, end);
        Some(())
    }

    /// Reserves a fork whose targets are not known yet.
    fn reserve(&mut self) -> usize {
        self.steps.push(Instruction::Fork(0, 0));
        self.steps.len() - 1
    }

    fn set(&mut self, at: usize, one: usize, other: usize) {
        if let Some(step) = self.steps.get_mut(at) {
            *step = Instruction::Fork(one, other);
        }
    }
}

fn is_word(one: Option<char>) -> bool {
    one.is_some_and(|it| it.is_ascii_alphanumeric() || it == '_')
}
