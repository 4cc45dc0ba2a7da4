//! Seccomp: allows the few system calls that computing, waiting and using the pipe need.
//!
//! There are two filters. Calls that no library makes by accident kill the process. Every other
//! call that is not on the list fails with EPERM, because libraries try some calls and go on
//! without them (the time zone, the number of processors), differently in each version.

use std::collections::BTreeMap;

use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule, apply_filter_all_threads,
};

use super::{Layer, Layers};

pub(super) fn restrict() -> Layers {
    let apply = || -> Option<()> {
        // The first filter must allow the second one to be installed.
        apply_filter_all_threads(&kill_filter().ok()?).ok()?;
        apply_filter_all_threads(&allow_filter().ok()?).ok()
    };
    Layers::if_applied(Layer::Seccomp, apply().is_some())
}

/// Returns whether the kernel supports it.
#[expect(unsafe_code, reason = "no safe binding asks without restricting")]
pub(super) fn expected() -> Layers {
    let action = libc::SECCOMP_RET_KILL_PROCESS;
    // SAFETY: the call reads the number behind the pointer and changes nothing.
    let available = unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_GET_ACTION_AVAIL,
            0,
            &raw const action,
        )
    };
    let is_supported_arch = seccompiler::TargetArch::try_from(std::env::consts::ARCH).is_ok();
    Layers::if_applied(Layer::Seccomp, available == 0 && is_supported_arch)
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

fn kill_filter() -> Result<BpfProgram, BackendError> {
    let mut rules: Rules = KILLED.iter().map(|call| (*call, Vec::new())).collect();
    // A process ends itself by a signal to itself, so only signals to others kill it.
    let is_other_process = argument(0, SeccompCmpOp::Ne, u64::from(std::process::id()))?;
    rules.insert(
        libc::SYS_tgkill,
        vec![SeccompRule::new(vec![is_other_process])?],
    );
    filter(rules, SeccompAction::Allow, SeccompAction::KillProcess)
}

fn allow_filter() -> Result<BpfProgram, BackendError> {
    let mut rules: Rules = ALLOWED.iter().map(|call| (*call, Vec::new())).collect();
    let one_of = |files: &[u64]| -> Result<Vec<SeccompRule>, BackendError> {
        let rule = |file: &u64| SeccompRule::new(vec![argument(0, SeccompCmpOp::Eq, *file)?]);
        files.iter().map(rule).collect()
    };
    rules.insert(libc::SYS_read, one_of(&[0])?);
    rules.insert(libc::SYS_write, one_of(&[1, 2])?);
    rules.insert(libc::SYS_writev, one_of(&[1, 2])?);
    // Memory is for data: nothing new can be made executable.
    let executable = libc::PROT_EXEC as u64;
    for call in [libc::SYS_mmap, libc::SYS_mprotect] {
        let is_data = argument(2, SeccompCmpOp::MaskedEq(executable), 0)?;
        rules.insert(call, vec![SeccompRule::new(vec![is_data])?]);
    }
    let refuse = SeccompAction::Errno(libc::EPERM as u32);
    filter(rules, refuse, SeccompAction::Allow)
}

fn filter(
    rules: Rules,
    otherwise: SeccompAction,
    then: SeccompAction,
) -> Result<BpfProgram, BackendError> {
    let arch = std::env::consts::ARCH.try_into()?;
    SeccompFilter::new(rules, otherwise, then, arch)?.try_into()
}

fn argument(
    index: u8,
    operator: SeccompCmpOp,
    value: u64,
) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(index, SeccompCmpArgLen::Dword, operator, value)
}

const ALLOWED: &[i64] = &[
    // Memory.
    libc::SYS_brk,
    libc::SYS_madvise,
    libc::SYS_mremap,
    libc::SYS_munmap,
    // Existing threads, and signals.
    libc::SYS_futex,
    libc::SYS_membarrier,
    libc::SYS_rseq,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_yield,
    libc::SYS_set_robust_list,
    libc::SYS_sigaltstack,
    libc::SYS_tgkill,
    libc::SYS_getpid,
    libc::SYS_gettid,
    // Time and randomness.
    libc::SYS_clock_getres,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_getrandom,
    libc::SYS_gettimeofday,
    libc::SYS_nanosleep,
    libc::SYS_setitimer,
    // The pipe.
    libc::SYS_close,
    libc::SYS_fstat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_poll,
    libc::SYS_ppoll,
    libc::SYS_restart_syscall,
    // Exit.
    libc::SYS_exit,
    libc::SYS_exit_group,
];

const KILLED: &[i64] = &[
    // Other programs and processes.
    libc::SYS_clone,
    libc::SYS_clone3,
    libc::SYS_execve,
    libc::SYS_execveat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_fork,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_vfork,
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_pidfd_getfd,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_send_signal,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_ptrace,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    // The network.
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_bind,
    libc::SYS_connect,
    libc::SYS_listen,
    libc::SYS_sendmsg,
    libc::SYS_sendto,
    libc::SYS_socket,
    libc::SYS_socketpair,
    // Ways around this filter, and into the kernel.
    libc::SYS_add_key,
    libc::SYS_bpf,
    libc::SYS_chroot,
    libc::SYS_delete_module,
    libc::SYS_finit_module,
    libc::SYS_init_module,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_io_uring_setup,
    libc::SYS_kexec_load,
    libc::SYS_keyctl,
    libc::SYS_memfd_create,
    libc::SYS_mount,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_perf_event_open,
    libc::SYS_pivot_root,
    libc::SYS_reboot,
    libc::SYS_request_key,
    libc::SYS_setns,
    libc::SYS_umount2,
    libc::SYS_unshare,
    libc::SYS_userfaultfd,
];
