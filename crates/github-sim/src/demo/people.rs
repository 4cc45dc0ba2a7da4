//! Who is in the demonstration: the organisation's people.

/// One account.
pub(super) struct Person {
    pub(super) login: &'static str,
    pub(super) name: &'static str,
    pub(super) bio: Option<&'static str>,
}

/// Whose token every unknown token is.
pub(super) const VIEWER: &str = "maya-chen";

/// Somebody who left GitHub; what she wrote stays.
pub(super) const DELETED: &str = "lena-koch";

pub(super) const PEOPLE: [Person; 6] = [
    Person {
        login: VIEWER,
        name: "Maya Chen",
        bio: Some("Flight software lead"),
    },
    Person {
        login: "jonas-weber",
        name: "Jonas Weber",
        bio: Some("Guidance, navigation and control"),
    },
    Person {
        login: "priya-nair",
        name: "Priya Nair",
        bio: Some("Propulsion control loops"),
    },
    Person {
        login: "tomas-silva",
        name: "Tomás Silva",
        bio: None,
    },
    Person {
        login: "akira-mori",
        name: "森 明",
        bio: Some("Ground systems"),
    },
    Person {
        login: DELETED,
        name: "Lena Koch",
        bio: None,
    },
];
