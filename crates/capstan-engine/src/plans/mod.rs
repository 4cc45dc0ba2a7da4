//! SkillPlans of skills: what they are made of is found and checked, and turned into steps that can be run.

mod card;
mod fingerprint;
mod inline_code;
mod known;
mod planner;
mod preview;

pub(crate) use card::skill_card;
pub use planner::SkillPlans;
