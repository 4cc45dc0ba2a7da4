//! Laws that hold for all schemas and all values, with another validator as the judge.

use capstan_schema::{Schema, assignable, assignable_projected, describe, project};
use jsonschema::Validator;
use proptest::prelude::*;
use serde_json::Value;

use crate::generate::{Choices, changed, document, sample, values};
use crate::support::config;

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..160)
}

/// Generates two schemas. Mostly the second is a change of the first, sometimes the reverse.
fn pairs() -> impl Strategy<Value = (Value, Value)> {
    (bytes(), bytes(), 0..8_u8).prop_map(|(first, second, how)| {
        let one = document(&mut Choices::new(&first));
        match how {
            0 => (one, document(&mut Choices::new(&second))),
            1 | 2 => (changed(&one, &mut Choices::new(&second)), one),
            _ => {
                let other = changed(&one, &mut Choices::new(&second));
                (one, other)
            }
        }
    })
}

fn judge(schema: &Value) -> Validator {
    jsonschema::draft202012::new(schema).unwrap()
}

/// Returns the generated values that match a schema.
fn passing(schema: &Value, with: &[u8], judge: &Validator) -> Vec<Value> {
    let mut choices = Choices::new(with);
    let mut candidates: Vec<_> = (0..24)
        .map(|_| sample(schema, schema, &mut choices, 6))
        .collect();
    candidates.extend(values());
    candidates.retain(|it| judge.is_valid(it));
    candidates
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn what_is_assignable_passes((from, to) in pairs(), with in prop::collection::vec(any::<u8>(), 400)) {
        if assignable(Schema::new(&from), Schema::new(&to)).is_ok() {
            let (given, needed) = (judge(&from), judge(&to));
            let also = passing(&to, &with[200..], &needed);
            let also = also.into_iter().filter(|it| given.is_valid(it));
            for value in passing(&from, &with, &given).into_iter().chain(also) {
                prop_assert!(needed.is_valid(&value), "{} passes\n{}\nbut not\n{}", value, from, to);
            }
        }
    }

    #[test]
    fn what_is_assignable_when_reduced_passes_when_reduced(
        (from, to) in pairs(), with in prop::collection::vec(any::<u8>(), 400),
    ) {
        if assignable_projected(Schema::new(&from), Schema::new(&to)).is_ok() {
            let (given, needed) = (judge(&from), judge(&to));
            for value in passing(&from, &with, &given) {
                let reduced = project(&value, Schema::new(&from));
                prop_assert!(
                    needed.is_valid(&reduced),
                    "{} passes\n{}\nbut as {} not\n{}", value, from, reduced, to,
                );
            }
        }
    }

    #[test]
    fn every_schema_fits_itself(from in bytes().prop_map(|it| document(&mut Choices::new(&it)))) {
        let again = from.clone();
        let verdict = assignable(Schema::new(&from), Schema::new(&again));
        prop_assert!(verdict.is_ok(), "{} {:?}", from, verdict);
    }

    #[test]
    fn assignable_is_transitive(first in bytes(), second in bytes(), third in bytes()) {
        let one = document(&mut Choices::new(&first));
        let two = changed(&one, &mut Choices::new(&second));
        let three = changed(&two, &mut Choices::new(&third));
        let fits = |from: &Value, to: &Value| assignable(Schema::new(from), Schema::new(to)).is_ok();
        if fits(&one, &two) && fits(&two, &three) {
            let (given, needed) = (judge(&one), judge(&three));
            for value in passing(&one, &first, &given) {
                prop_assert!(needed.is_valid(&value), "{} passes\n{}\nbut not\n{}", value, one, three);
            }
        }
    }

    #[test]
    fn reducing_twice_is_reducing_once(from in bytes(), with in bytes()) {
        let from = document(&mut Choices::new(&from));
        let mut choices = Choices::new(&with);
        for _ in 0..8 {
            let value = sample(&from, &from, &mut choices, 6);
            let once = project(&value, Schema::new(&from));
            prop_assert_eq!(project(&once, Schema::new(&from)), once);
        }
    }

    #[test]
    fn every_schema_is_described(from in bytes().prop_map(|it| document(&mut Choices::new(&it)))) {
        prop_assert!(describe(Schema::new(&from)).chars().count() <= 61);
    }
}

/// The laws above prove nothing where the answer is negative, so it must be positive often enough.
#[test]
fn enough_pairs_are_assignable() {
    use proptest::strategy::ValueTree as _;
    let mut runner = proptest::test_runner::TestRunner::new(config(1));
    let (mut yes, mut telling, mut projected) = (0, 0, 0);
    let total = 1000;
    for _ in 0..total {
        let (from, to) = pairs().new_tree(&mut runner).unwrap().current();
        projected +=
            usize::from(assignable_projected(Schema::new(&from), Schema::new(&to)).is_ok());
        if assignable(Schema::new(&from), Schema::new(&to)).is_ok() {
            yes += 1;
            let given = judge(&from);
            let some = !passing(&from, &[], &given).is_empty();
            let not_all = !values().iter().all(|it| judge(&to).is_valid(it));
            telling += usize::from(some && not_all);
        }
    }
    assert!(yes * 10 >= total * 3, "{yes} of {total} are assignable");
    assert!(
        telling * 10 >= total * 2,
        "{telling} of {total} are assignable and tell something"
    );
    assert!(
        projected * 10 >= total * 2,
        "{projected} of {total} are assignable when reduced"
    );
}
