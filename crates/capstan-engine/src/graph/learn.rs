//! Learns from what was executed, off the way of every answer.
