//! What the engine allocates: counted, limited, and remembered when it was refused.
//!
//! The engine has a limit of its own, but does not tell afterwards that it was hit, and has no room
//! left to make an error that says so; nor does it know how much it had at most.

use std::cell::Cell;
use std::ptr;
use std::rc::Rc;

use rquickjs::allocator::{Allocator, RustAllocator};

/// What is known about the memory of one engine.
#[derive(Debug)]
pub(super) struct Memory {
    used: Cell<usize>,
    most: Cell<usize>,
    limit: Cell<usize>,
    refused: Cell<bool>,
}

impl Memory {
    /// Beyond the limit, once: room to make an error, and for code that catches it to go on.
    const RESERVE: usize = 256 << 10;

    /// No limit yet.
    pub(super) fn new() -> Rc<Self> {
        Rc::new(Self {
            used: Cell::new(0),
            most: Cell::new(0),
            limit: Cell::new(usize::MAX),
            refused: Cell::new(false),
        })
    }

    pub(super) fn limit(&self, bytes: u64) {
        self.limit.set(usize::try_from(bytes).unwrap_or(usize::MAX));
    }

    /// The most that there was at a time.
    pub(super) fn most(&self) -> u64 {
        self.most.get() as u64
    }

    /// How much there is now.
    pub(super) fn used(&self) -> u64 {
        self.used.get() as u64
    }

    /// Whether the limit was hit.
    pub(super) fn refused(&self) -> bool {
        self.refused.get()
    }

    /// Whether there is room for so much more.
    fn has_room(&self, more: usize) -> bool {
        if self.used.get().saturating_add(more) <= self.limit.get() {
            return true;
        }
        if !self.refused.replace(true) {
            self.limit
                .set(self.limit.get().saturating_add(Self::RESERVE));
        }
        false
    }

    fn add(&self, bytes: usize) {
        let used = self.used.get() + bytes;
        self.used.set(used);
        self.most.set(self.most.get().max(used));
    }

    fn remove(&self, bytes: usize) {
        self.used.set(self.used.get().saturating_sub(bytes));
    }
}

/// Rust's allocator under that count.
pub(super) struct Metered(pub(super) Rc<Memory>);

// SAFETY: every allocation is made, changed and freed by `RustAllocator`, which keeps the promises of
// the trait; a null pointer is always allowed where memory is asked for.
#[expect(unsafe_code, reason = "the engine is written in C and takes pointers")]
unsafe impl Allocator for Metered {
    fn alloc(&mut self, size: usize) -> *mut u8 {
        if !self.0.has_room(size) {
            return ptr::null_mut();
        }
        self.counted(RustAllocator.alloc(size))
    }

    fn calloc(&mut self, count: usize, size: usize) -> *mut u8 {
        let fits = count
            .checked_mul(size)
            .is_some_and(|all| self.0.has_room(all));
        if !fits {
            return ptr::null_mut();
        }
        self.counted(RustAllocator.calloc(count, size))
    }

    unsafe fn dealloc(&mut self, ptr: *mut u8) {
        // SAFETY: the pointer came from this allocator, and so from the one below.
        unsafe {
            self.0.remove(RustAllocator::usable_size(ptr));
            RustAllocator.dealloc(ptr);
        }
    }

    unsafe fn realloc(&mut self, ptr: *mut u8, new_size: usize) -> *mut u8 {
        // The allocator below takes neither of these.
        if ptr.is_null() {
            return self.alloc(new_size);
        }
        // SAFETY: the pointer came from this allocator, and so from the one below; if that has no
        // memory, the old allocation stays as it was.
        unsafe {
            if new_size == 0 {
                self.dealloc(ptr);
                return ptr::null_mut();
            }
            let old = RustAllocator::usable_size(ptr);
            if new_size > old && !self.0.has_room(new_size - old) {
                return ptr::null_mut();
            }
            let new = RustAllocator.realloc(ptr, new_size);
            if !new.is_null() {
                self.0.remove(old);
            }
            self.counted(new)
        }
    }

    unsafe fn usable_size(ptr: *mut u8) -> usize {
        // SAFETY: the pointer came from this allocator, and so from the one below.
        unsafe { RustAllocator::usable_size(ptr) }
    }
}

impl Metered {
    #[expect(unsafe_code, reason = "the size stands before what the pointer is to")]
    fn counted(&self, ptr: *mut u8) -> *mut u8 {
        if ptr.is_null() {
            self.0.refused.set(true);
        } else {
            // SAFETY: the allocator below has just given this pointer.
            self.0.add(unsafe { RustAllocator::usable_size(ptr) });
        }
        ptr
    }
}
