//! Counts and limits what the engine allocates, and remembers whether it was refused.
//!
//! The engine has its own limit, but it does not tell afterwards that it was reached, has no memory
//! left for an error that says so, and does not know its peak.

use std::cell::Cell;
use std::ptr;
use std::rc::Rc;

use rquickjs::allocator::{Allocator, RustAllocator};

/// The memory use of one engine.
#[derive(Debug)]
pub(super) struct Memory {
    used: Cell<usize>,
    peak: Cell<usize>,
    limit: Cell<usize>,
    refused: Cell<bool>,
}

impl Memory {
    /// Extra memory, granted once beyond the limit: room for an error, and for code that catches it to continue.
    const RESERVE: usize = 256 << 10;

    /// Starts without a limit.
    pub(super) fn new() -> Rc<Self> {
        Rc::new(Self {
            used: Cell::new(0),
            peak: Cell::new(0),
            limit: Cell::new(usize::MAX),
            refused: Cell::new(false),
        })
    }

    pub(super) fn set_limit(&self, bytes: u64) {
        self.limit.set(usize::try_from(bytes).unwrap_or(usize::MAX));
    }

    /// Returns the peak use in bytes.
    pub(super) fn peak(&self) -> u64 {
        self.peak.get() as u64
    }

    /// Returns the present use in bytes.
    pub(super) fn used(&self) -> u64 {
        self.used.get() as u64
    }

    /// Returns whether an allocation was ever refused.
    pub(super) fn was_refused(&self) -> bool {
        self.refused.get()
    }

    /// Returns whether `more` bytes fit. Records a refusal, and grants the reserve at the first
    /// one.
    fn check_room(&self, more: usize) -> bool {
        if self.used.get().saturating_add(more) <= self.limit.get() {
            return true;
        }
        if !self.refused.replace(true) {
            self.limit
                .set(self.limit.get().saturating_add(Self::RESERVE));
        }
        false
    }

    fn record_allocated(&self, bytes: usize) {
        let used = self.used.get() + bytes;
        self.used.set(used);
        self.peak.set(self.peak.get().max(used));
    }

    fn record_freed(&self, bytes: usize) {
        self.used.set(self.used.get().saturating_sub(bytes));
    }
}

/// Rust's allocator with that count.
pub(super) struct MeteredAllocator(pub(super) Rc<Memory>);

// SAFETY: `RustAllocator` makes, changes and frees every allocation and keeps the contract of the
// trait. The trait allows a null pointer wherever memory is requested.
#[expect(unsafe_code, reason = "the engine is written in C and takes pointers")]
unsafe impl Allocator for MeteredAllocator {
    fn alloc(&mut self, size: usize) -> *mut u8 {
        if !self.0.check_room(size) {
            return ptr::null_mut();
        }
        self.count_allocation(RustAllocator.alloc(size))
    }

    fn calloc(&mut self, count: usize, size: usize) -> *mut u8 {
        let fits = count
            .checked_mul(size)
            .is_some_and(|total| self.0.check_room(total));
        if !fits {
            return ptr::null_mut();
        }
        self.count_allocation(RustAllocator.calloc(count, size))
    }

    unsafe fn dealloc(&mut self, ptr: *mut u8) {
        // SAFETY: the pointer came from this allocator, and therefore from `RustAllocator`.
        unsafe {
            self.0.record_freed(RustAllocator::usable_size(ptr));
            RustAllocator.dealloc(ptr);
        }
    }

    unsafe fn realloc(&mut self, ptr: *mut u8, new_size: usize) -> *mut u8 {
        // `RustAllocator` accepts neither a null pointer nor a size of 0.
        if ptr.is_null() {
            return self.alloc(new_size);
        }
        // SAFETY: the pointer came from this allocator, and therefore from `RustAllocator`; if that
        // has no memory, the old allocation stays unchanged.
        unsafe {
            if new_size == 0 {
                self.dealloc(ptr);
                return ptr::null_mut();
            }
            let old = RustAllocator::usable_size(ptr);
            if new_size > old && !self.0.check_room(new_size - old) {
                return ptr::null_mut();
            }
            let new = RustAllocator.realloc(ptr, new_size);
            if !new.is_null() {
                self.0.record_freed(old);
            }
            self.count_allocation(new)
        }
    }

    unsafe fn usable_size(ptr: *mut u8) -> usize {
        // SAFETY: the pointer came from this allocator, and therefore from `RustAllocator`.
        unsafe { RustAllocator::usable_size(ptr) }
    }
}

impl MeteredAllocator {
    #[expect(unsafe_code, reason = "the size is stored just before the allocation")]
    fn count_allocation(&self, ptr: *mut u8) -> *mut u8 {
        if ptr.is_null() {
            self.0.refused.set(true);
        } else {
            // SAFETY: `RustAllocator` has just returned this pointer, and it is not null.
            self.0
                .record_allocated(unsafe { RustAllocator::usable_size(ptr) });
        }
        ptr
    }
}
