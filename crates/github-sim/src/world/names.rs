//! Enumerations with the upper-case names that GitHub gives them on the wire.

/// Declares an enum whose variants have one wire name each (GraphQL spells it upper case, REST lower case).
macro_rules! wire_enum {
    ($(#[$meta:meta])* $name:ident { $($variant:ident = $wire:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($variant),+ }

        impl $name {
            /// Every variant, in declaration order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name in GraphQL, for instance `NOT_PLANNED`.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $wire),+ }
            }

            /// The name in REST, for instance `not_planned`.
            pub fn rest(self) -> String {
                self.name().to_ascii_lowercase()
            }

            /// Reads either spelling.
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.name().eq_ignore_ascii_case(text))
            }
        }
    };
}

pub(crate) use wire_enum;
