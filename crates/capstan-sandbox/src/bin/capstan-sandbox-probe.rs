//! Locks itself down as a worker does and then tries to break out: for the tests of the sandbox.
//!
//! `capstan-sandbox-probe LAYERS ATTEMPT` prints `refused` and the error's number, or `done`; or it
//! is killed, which is as good as refused.

#[cfg(target_os = "linux")]
fn main() {
    linux::main();
}

#[cfg(not(target_os = "linux"))]
fn main() {}

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "it tries what safe code cannot")]
mod linux {
    use std::io::{self, Write};
    use std::ptr;

    pub(crate) fn main() {
        let arguments: Vec<String> = std::env::args().collect();
        let [_, layers, attempt, rest @ ..] = arguments.as_slice() else {
            std::process::exit(2);
        };
        let argument = rest.first().map_or("", String::as_str);
        if layers != "nothing" && !capstan_sandbox::testing::lock_down(layers) {
            say("unavailable");
            return;
        }
        match make(attempt, argument) {
            Ok(()) => say("done"),
            Err(error) => say(&format!("refused {}", error.raw_os_error().unwrap_or(-1))),
        }
    }

    fn say(word: &str) {
        // If this fails nothing is printed, which the test notices.
        let _ = writeln!(io::stdout(), "{word}");
    }

    fn make(attempt: &str, argument: &str) -> io::Result<()> {
        match attempt {
            "read-file" => std::fs::read("/etc/passwd").map(drop),
            "read-environment" => std::fs::read("/proc/self/environ").map(drop),
            "read-memory" => std::fs::File::open("/proc/self/mem").map(drop),
            "list-folder" => std::fs::read_dir("/").map(drop),
            "write-file" => std::fs::write(argument, "x"),
            "make-folder" => std::fs::create_dir(argument),
            "remove-file" => std::fs::remove_file(argument),
            "connect-tcp" => std::net::TcpStream::connect(argument).map(drop),
            "listen-tcp" => std::net::TcpListener::bind("127.0.0.1:0").map(drop),
            "udp" => std::net::UdpSocket::bind("127.0.0.1:0").map(drop),
            "connect-abstract" => connect_abstract(argument),
            "start-thread" => std::thread::Builder::new()
                .spawn(|| {})
                .and_then(|thread| thread.join().map_err(|_| io::Error::other("panicked"))),
            // SAFETY: the calls below take numbers, null, or pointers to constants that outlive the
            // calls; the child of the fork exits at once.
            "fork" => unsafe {
                match libc::fork() {
                    0 => libc::_exit(0),
                    other => check(i64::from(other)),
                }
            },
            "execute" => unsafe {
                let program = c"/bin/true".as_ptr();
                let arguments = [program, ptr::null()];
                check(i64::from(libc::execv(program, arguments.as_ptr())))
            },
            "signal-parent" => unsafe { check(i64::from(libc::kill(libc::getppid(), 0))) },
            "trace-parent" => unsafe {
                check(libc::ptrace(
                    libc::PTRACE_SEIZE,
                    libc::getppid(),
                    ptr::null_mut::<libc::c_void>(),
                    ptr::null_mut::<libc::c_void>(),
                ))
            },
            "read-parent" => unsafe {
                let mut byte = 0_u8;
                let here = libc::iovec {
                    iov_base: (&raw mut byte).cast(),
                    iov_len: 1,
                };
                let there = here;
                let read = libc::process_vm_readv(libc::getppid(), &here, 1, &there, 1, 0);
                check(read as i64)
            },
            "map-executable" => unsafe {
                let protection = libc::PROT_READ | libc::PROT_EXEC;
                let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
                let mapped = libc::mmap(ptr::null_mut(), 4096, protection, flags, -1, 0);
                check(if mapped == libc::MAP_FAILED { -1 } else { 0 })
            },
            "make-executable" => unsafe {
                let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
                let mapped = libc::mmap(ptr::null_mut(), 4096, libc::PROT_READ, flags, -1, 0);
                check(i64::from(libc::mprotect(mapped, 4096, libc::PROT_EXEC)))
            },
            "much-memory" => unsafe {
                let protection = libc::PROT_READ | libc::PROT_WRITE;
                let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
                let mapped = libc::mmap(ptr::null_mut(), 8 << 30, protection, flags, -1, 0);
                check(if mapped == libc::MAP_FAILED { -1 } else { 0 })
            },
            "more-limits" => unsafe {
                let limit = libc::rlimit {
                    rlim_cur: 1 << 20,
                    rlim_max: 1 << 20,
                };
                check(i64::from(libc::setrlimit(libc::RLIMIT_NOFILE, &limit)))
            },
            "write-elsewhere" => unsafe { check(libc::write(0, c"x".as_ptr().cast(), 1) as i64) },
            "memory-file" => unsafe { check(i64::from(libc::memfd_create(c"x".as_ptr(), 0))) },
            "new-namespace" => unsafe { check(i64::from(libc::unshare(libc::CLONE_NEWNS))) },
            "become-root" => unsafe { check(i64::from(libc::setuid(0))) },
            "io-uring" => unsafe {
                let mut parameters = [0_u8; 120];
                check(libc::syscall(
                    libc::SYS_io_uring_setup,
                    1,
                    &raw mut parameters,
                ))
            },
            "bpf" => unsafe { check(libc::syscall(libc::SYS_bpf, 0, 0, 0)) },
            // What a worker must be able to do.
            "compute" => {
                let numbers: Vec<u64> = (0..1_000_000).collect();
                let sum: u64 = numbers.iter().sum();
                std::thread::sleep(std::time::Duration::from_millis(1));
                let spent = std::time::Instant::now().elapsed();
                if sum > 0 && spent.as_secs() < 1000 {
                    Ok(())
                } else {
                    Err(io::Error::other("wrong"))
                }
            }
            _ => std::process::exit(2),
        }
    }

    fn check(result: i64) -> io::Result<()> {
        if result == -1 {
            Err(io::Error::last_os_error())
        } else {
            Ok(())
        }
    }

    fn connect_abstract(name: &str) -> io::Result<()> {
        use std::os::linux::net::SocketAddrExt;
        use std::os::unix::net::{SocketAddr, UnixStream};
        UnixStream::connect_addr(&SocketAddr::from_abstract_name(name)?).map(drop)
    }
}
