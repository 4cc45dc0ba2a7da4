//! The graph and what it learns, as others see it.
