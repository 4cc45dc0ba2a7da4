//! Rendered expressions parse to the same expressions.

use capstan_core::expr::Expr;
use capstan_skill::render::expression;
use proptest::prelude::*;

#[test]
fn they_look_as_people_write_them() {
    for text in [
        "$input.auto_post == true",
        "$a.output.spam and not $input.quiet",
        "($a.output.x or $b.output.y) and $c.output.z",
        "$a.output.items[].name | lower | join(\", \")",
        "$a.output.items | where(state == \"open\" or draft) | count > 3",
        "$step.output.kind in [\"bug\", \"crash\"]",
        "$a.output.n | case(1, \"one\", \"many\") != null",
    ] {
        assert_eq!(expression(&Expr::parse(text).unwrap()), text);
    }
}

fn exprs() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("$input.a".to_owned()),
        Just("$step-one.output.items[-1].name".to_owned()),
        Just("x[].y".to_owned()),
        Just(".".to_owned()),
        Just("true".to_owned()),
        Just("-4".to_owned()),
        Just("2.5".to_owned()),
        "[ -~]{0,6}".prop_map(|it| serde_json::Value::from(it).to_string()),
        Just("[\"a\", \"<b>\"]".to_owned()),
    ];
    leaf.prop_recursive(5, 32, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) or ({b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) and ({b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) <= ({b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) subset_of ({b})")),
            inner.clone().prop_map(|a| format!("not ({a})")),
            inner
                .clone()
                .prop_map(|a| format!("({a}) | prefix(\"\\\"\") | sort(x, y)")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("({a}) | default({b}) | where({b})")),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_shown_is_read_as_the_same(text in exprs()) {
        if let Ok(expr) = Expr::parse(&text) {
            let shown = expression(&expr);
            prop_assert_eq!(Expr::parse(&shown).unwrap(), expr, "{}", shown);
        }
    }
}
