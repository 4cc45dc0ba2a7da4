//! Vectors and word pieces, against those who made the formats.

mod oracle;
