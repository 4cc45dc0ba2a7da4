//! Landlock: no files, no TCP, and no signals or abstract sockets outside of the process.

use landlock::{
    ABI, Access, AccessFs, AccessNet, Compatible, LandlockStatus, Ruleset, RulesetAttr,
    RulesetError, RulesetStatus, Scope,
};

use super::{Layer, Layers};

/// The requested version. A kernel with an older version enforces less.
const REQUESTED: ABI = ABI::V6;
const NETWORK_SINCE: i64 = 4;
const SCOPE_SINCE: i64 = 6;

pub(super) fn restrict() -> Layers {
    let apply = || -> Result<_, RulesetError> {
        Ruleset::default()
            .set_compatibility(landlock::CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(REQUESTED))?
            .handle_access(AccessNet::from_all(REQUESTED))?
            .scope(Scope::from_all(REQUESTED))?
            .create()?
            .restrict_self()
    };
    match apply() {
        Ok(status) if status.ruleset != RulesetStatus::NotEnforced => match status.landlock {
            LandlockStatus::Available { effective_abi, .. } => layers_of(effective_abi as i64),
            _ => Layers::default(),
        },
        _ => Layers::default(),
    }
}

/// Asks the kernel for its version, without restricting anything.
#[expect(unsafe_code, reason = "no safe binding asks without restricting")]
pub(super) fn expected() -> Layers {
    const GET_VERSION: u32 = 1;
    // SAFETY: with this flag the call takes no attributes and only answers with a number.
    let version = unsafe {
        libc::syscall(
            libc::SYS_landlock_create_ruleset,
            std::ptr::null::<libc::c_void>(),
            0_usize,
            GET_VERSION,
        )
    };
    layers_of(version)
}

fn layers_of(version: i64) -> Layers {
    let mut layers = Layers::if_applied(Layer::LandlockFiles, version > 0);
    layers.extend(Layers::if_applied(
        Layer::LandlockNetwork,
        version >= NETWORK_SINCE,
    ));
    layers.extend(Layers::if_applied(
        Layer::LandlockScope,
        version >= SCOPE_SINCE,
    ));
    layers
}
