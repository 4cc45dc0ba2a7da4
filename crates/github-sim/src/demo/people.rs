//! The accounts of the demonstration.

/// An account of the demonstration.
pub(super) struct DemoAccount {
    pub(super) login: &'static str,
    pub(super) name: &'static str,
    pub(super) bio: Option<&'static str>,
}

/// Login of the default viewer.
pub(super) const VIEWER: &str = "maya-chen";

/// Login of a deleted account; what it wrote stays.
pub(super) const DELETED: &str = "lena-koch";

pub(super) const PEOPLE: [DemoAccount; 6] = [
    DemoAccount {
        login: VIEWER,
        name: "Maya Chen",
        bio: Some("Flight software lead"),
    },
    DemoAccount {
        login: "jonas-weber",
        name: "Jonas Weber",
        bio: Some("Guidance, navigation and control"),
    },
    DemoAccount {
        login: "priya-nair",
        name: "Priya Nair",
        bio: Some("Propulsion control loops"),
    },
    DemoAccount {
        login: "tomas-silva",
        name: "Tomás Silva",
        bio: None,
    },
    DemoAccount {
        login: "akira-mori",
        name: "森 明",
        bio: Some("Ground systems"),
    },
    DemoAccount {
        login: DELETED,
        name: "Lena Koch",
        bio: None,
    },
];
