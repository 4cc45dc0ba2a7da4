//! The layers that confine a worker, as a set.

/// One of the layers that confine a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layer {
    /// Inherits nothing: no environment, no open files.
    Clean,
    NoNewPrivileges,
    NotDumpable,
    DiesWithParent,
    Memory,
    Files,
    Processes,
    LandlockFiles,
    LandlockNetwork,
    LandlockScope,
    Seccomp,
}

/// A set of layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Layers(u32);

impl Layer {
    pub(crate) const ALL: [Layer; 11] = [
        Layer::Clean,
        Layer::NoNewPrivileges,
        Layer::NotDumpable,
        Layer::DiesWithParent,
        Layer::Memory,
        Layer::Files,
        Layer::Processes,
        Layer::LandlockFiles,
        Layer::LandlockNetwork,
        Layer::LandlockScope,
        Layer::Seccomp,
    ];

    pub(crate) fn description(self) -> &'static str {
        match self {
            Layer::Clean => "no environment and no open files",
            Layer::NoNewPrivileges => "no new privileges",
            Layer::NotDumpable => "closed to debuggers",
            Layer::DiesWithParent => "dies with its parent",
            Layer::Memory => "memory limit",
            Layer::Files => "file limits",
            Layer::Processes => "process limit",
            Layer::LandlockFiles => "landlock: no file system",
            Layer::LandlockNetwork => "landlock: no TCP",
            Layer::LandlockScope => "landlock: no signals or abstract sockets outside",
            Layer::Seccomp => "seccomp: system calls",
        }
    }

    /// Returns what follows if the layer is missing.
    pub(crate) fn effect_of_absence(self) -> &'static str {
        match self {
            Layer::Clean => "workers inherit open files",
            Layer::NoNewPrivileges => "programs with special rights could be started",
            Layer::NotDumpable => "processes of the same user can inspect a worker",
            Layer::DiesWithParent => "a worker notices the end of its parent only when it is idle",
            Layer::Memory => "only the engine limits memory",
            Layer::Files => "only the other layers keep files out of reach",
            Layer::Processes => {
                "the process limit does not bind root; only the other layers prevent new processes"
            }
            Layer::LandlockFiles => "only the other layers keep files out of reach",
            Layer::LandlockNetwork => "only the other layers keep the network out of reach",
            Layer::LandlockScope => "only the other layers prevent signals",
            Layer::Seccomp => "a bug in the engine could reach system calls",
        }
    }
}

impl Layers {
    pub(crate) fn from_layers(layers: &[Layer]) -> Self {
        let bits = layers.iter().fold(0, |bits, layer| bits | bit(*layer));
        Self(bits)
    }

    pub(crate) fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    pub(crate) fn extend(&mut self, more: Self) {
        self.0 |= more.0;
    }

    pub(crate) fn has(self, layer: Layer) -> bool {
        self.0 & bit(layer) != 0
    }

    /// Returns a set with the layer if it was applied, or else the empty set.
    pub(crate) fn if_applied(layer: Layer, is_applied: bool) -> Self {
        if is_applied {
            Self::from_layers(&[layer])
        } else {
            Self(0)
        }
    }
}

fn bit(layer: Layer) -> u32 {
    1 << layer as u32
}
