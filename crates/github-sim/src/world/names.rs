//! Enums with GitHub's names for their variants.

/// Declares an enum with a wire name for each variant, upper case as in GraphQL. REST uses the same in lower case.
macro_rules! wire_enum {
    ($(#[$meta:meta])* $name:ident { $($variant:ident = $wire:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($variant),+ }

        impl $name {
            /// All variants, in declaration order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Returns the name in GraphQL, for instance `NOT_PLANNED`.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $wire),+ }
            }

            /// Returns the name in REST, for instance `not_planned`.
            pub fn rest(self) -> String {
                self.name().to_ascii_lowercase()
            }

            /// Parses a name in any case.
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.name().eq_ignore_ascii_case(text))
            }
        }
    };
}

pub(crate) use wire_enum;
