//! Landlock: no file, no TCP, no signal and no abstract socket outside of the process.

use landlock::{
    ABI, Access, AccessFs, AccessNet, Compatible, LandlockStatus, Ruleset, RulesetAttr,
    RulesetError, RulesetStatus, Scope,
};

use super::{Layer, Layers};

/// What is asked for; a kernel that knows less enforces less.
const ASKED: ABI = ABI::V6;
const NETWORK_SINCE: i64 = 4;
const SCOPE_SINCE: i64 = 6;

pub(super) fn restrict() -> Layers {
    let enforced = || -> Result<_, RulesetError> {
        Ruleset::default()
            .set_compatibility(landlock::CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(ASKED))?
            .handle_access(AccessNet::from_all(ASKED))?
            .scope(Scope::from_all(ASKED))?
            .create()?
            .restrict_self()
    };
    match enforced() {
        Ok(status) if status.ruleset != RulesetStatus::NotEnforced => match status.landlock {
            LandlockStatus::Available { effective_abi, .. } => layers(effective_abi as i64),
            _ => Layers::default(),
        },
        _ => Layers::default(),
    }
}

/// Asks the kernel what it knows.
#[expect(unsafe_code, reason = "no safe binding asks without restricting")]
pub(super) fn expected() -> Layers {
    const ASK_FOR_VERSION: u32 = 1;
    // SAFETY: with this flag the call takes no attributes and only answers with a number.
    let version = unsafe {
        libc::syscall(
            libc::SYS_landlock_create_ruleset,
            std::ptr::null::<libc::c_void>(),
            0_usize,
            ASK_FOR_VERSION,
        )
    };
    layers(version)
}

fn layers(version: i64) -> Layers {
    let mut layers = Layers::when(Layer::LandlockFiles, version > 0);
    layers.add(Layers::when(
        Layer::LandlockNetwork,
        version >= NETWORK_SINCE,
    ));
    layers.add(Layers::when(Layer::LandlockScope, version >= SCOPE_SINCE));
    layers
}
