//! The main function of a worker process.

use std::process::exit;
use std::thread;

use super::{Role, alarm, pipe::Pipe, reader, runner};
use crate::engine::{Channel, THREAD_STACK_BYTES};
use crate::lockdown;
use crate::wire::Report;

/// The argument that starts the program as a worker.
pub const WORKER_ARGUMENT: &str = "--capstan-sandbox-worker";

/// Runs a worker until it ends. It must be called before anything else is done: before the
/// environment is read, files are opened or threads are started.
///
/// The arguments after [`WORKER_ARGUMENT`] are the role and the most memory that a run can ask for,
/// in bytes.
pub fn worker_main() -> ! {
    let mut arguments = std::env::args().skip_while(|argument| argument != WORKER_ARGUMENT);
    arguments.next();
    let role = arguments.next().and_then(|role| Role::parse(&role));
    let memory = arguments.next().and_then(|memory| memory.parse().ok());
    let (Some(role), Some(memory)) = (role, memory) else {
        exit(2);
    };
    let stack = match role {
        Role::Reader => reader::READER_STACK_BYTES,
        Role::Runner => THREAD_STACK_BYTES,
    };
    let mut layers = lockdown::before_threads(memory, stack as u64);
    // A thread, because its stack size does not depend on the limits of the process.
    let work = thread::Builder::new().stack_size(stack).spawn(move || {
        layers.extend(lockdown::after_threads());
        let mut pipe = Pipe::default();
        if !pipe.send(Report::Hello(layers.bits()).into_bytes()) {
            return;
        }
        match role {
            Role::Reader => reader::serve(&mut pipe),
            Role::Runner => runner::serve(&mut pipe, alarm::set),
        }
    });
    match work.map(thread::JoinHandle::join) {
        Ok(Ok(())) => exit(0),
        Ok(Err(_)) => exit(101),
        Err(_) => exit(3),
    }
}
