//! Plans of skills: finds and checks the parts of a skill, and turns them into steps that can be run.

mod card;
mod fingerprint;
mod inline_code;
mod known;
mod planner;
mod preview;

pub(crate) use card::skill_card;
pub use planner::SkillPlans;
