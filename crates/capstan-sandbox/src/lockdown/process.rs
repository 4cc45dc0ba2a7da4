//! What a process can give up by itself: open files, privileges, debuggers, surviving its parent.

use super::{Layer, Layers};

/// Closes all files except standard input, output and error. The parent has cleared the
/// environment.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "no safe binding closes files that nobody owns")]
pub(super) fn close_files() -> Layers {
    // SAFETY: this is the first thing that the process does. Nothing in it has opened a file above
    // standard error, so no file that is closed here has an owner.
    let closed = unsafe { libc::syscall(libc::SYS_close_range, 3, u32::MAX, 0) };
    Layers::if_applied(Layer::Clean, closed == 0)
}

#[cfg(all(unix, not(target_os = "linux")))]
#[expect(unsafe_code, reason = "no safe binding closes files that nobody owns")]
pub(super) fn close_files() -> Layers {
    for file in 3..1024 {
        // SAFETY: as above: nothing in this process has opened a file yet.
        unsafe { libc::close(file) };
    }
    Layers::from_layers(&[Layer::Clean])
}

#[cfg(not(unix))]
pub(super) fn close_files() -> Layers {
    Layers::from_layers(&[Layer::Clean])
}

#[cfg(target_os = "linux")]
pub(super) fn give_up_rights() -> Layers {
    use rustix::process::{
        DumpableBehavior, Signal, set_dumpable_behavior, set_parent_process_death_signal,
    };
    let mut layers = Layers::default();
    layers.extend(Layers::if_applied(
        Layer::NoNewPrivileges,
        rustix::thread::set_no_new_privs(true).is_ok(),
    ));
    layers.extend(Layers::if_applied(
        Layer::NotDumpable,
        set_dumpable_behavior(DumpableBehavior::NotDumpable).is_ok(),
    ));
    layers.extend(Layers::if_applied(
        Layer::DiesWithParent,
        set_parent_process_death_signal(Some(Signal::KILL)).is_ok(),
    ));
    layers
}

#[cfg(not(target_os = "linux"))]
pub(super) fn give_up_rights() -> Layers {
    Layers::default()
}

pub(super) fn expected() -> Layers {
    if cfg!(target_os = "linux") {
        Layers::from_layers(&[
            Layer::Clean,
            Layer::NoNewPrivileges,
            Layer::NotDumpable,
            Layer::DiesWithParent,
        ])
    } else {
        Layers::from_layers(&[Layer::Clean])
    }
}
