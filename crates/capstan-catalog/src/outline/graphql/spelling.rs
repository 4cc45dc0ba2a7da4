//! Names in the two spellings: those of inputs and outputs, and those of GraphQL.

/// Returns a name as inputs are spelled: `createdAt` becomes `created_at`.
pub fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    let mut before: Option<char> = None;
    let letters: Vec<char> = name.chars().collect();
    for (index, c) in letters.iter().enumerate() {
        if c.is_ascii_uppercase() {
            let is_start = before.is_some_and(|it| it.is_ascii_lowercase() || it.is_ascii_digit());
            let follows = letters.get(index + 1).is_some_and(char::is_ascii_lowercase);
            let ends_capitals = before.is_some_and(|it| it.is_ascii_uppercase()) && follows;
            if is_start || ends_capitals {
                snake.push('_');
            }
        }
        snake.push(c.to_ascii_lowercase());
        before = Some(*c);
    }
    snake
}

/// Returns a name as GraphQL usually spells it: `created_at` becomes `createdAt`.
pub fn camel_case(name: &str) -> String {
    let mut camel = String::new();
    let mut is_start = false;
    for c in name.chars() {
        let has_letters = camel.contains(|it| it != '_');
        if c == '_' && has_letters {
            is_start = true;
        } else if is_start {
            camel.push(c.to_ascii_uppercase());
            is_start = false;
        } else {
            camel.push(c);
        }
    }
    camel
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_two_spellings() {
        for (camel, snake) in [
            ("title", "title"),
            ("createdAt", "created_at"),
            ("projectV2", "project_v2"),
            ("bodyHTML", "body_html"),
            ("htmlURLOf", "html_url_of"),
        ] {
            assert_eq!(snake_case(camel), snake);
        }
        assert_eq!(camel_case("created_at"), "createdAt");
        assert_eq!(camel_case("__typename"), "__typename");
    }
}
