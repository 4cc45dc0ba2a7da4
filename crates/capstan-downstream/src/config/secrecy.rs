//! Decides which settings contain secrets. No setting is printed; secrets are also masked in
//! everything that a server says. The name of a folder must not be masked: answers would lose their
//! paths.

use capstan_core::Secret;

/// Words that end the name of a secret, such as `GITHUB_TOKEN` or `apiKey`.
const SECRET_ENDINGS: [&str; 12] = [
    "TOKEN",
    "KEY",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "CREDENTIAL",
    "CREDENTIALS",
    "AUTHORIZATION",
    "AUTH",
    "COOKIE",
    "PAT",
];

/// Returns whether a variable of this name probably contains a secret.
pub(super) fn is_secret_name(name: &str) -> bool {
    name.to_ascii_uppercase()
        .split(|c: char| !c.is_ascii_alphanumeric())
        .any(|word| {
            SECRET_ENDINGS.contains(&word)
                || SECRET_ENDINGS
                    .iter()
                    .any(|ending| ending.len() > 3 && word.ends_with(ending))
                || word.ends_with("APIKEY")
        })
}

/// Returns the parts of a setting that must be masked.
pub(super) fn secrets_of(name: &str, value: &str) -> Vec<Secret> {
    let mut found = Vec::new();
    if is_secret_name(name) {
        found.push(Secret::new(value));
        // `Bearer xyz`: the last word alone grants access, too.
        if let Some((_, last)) = value.trim().rsplit_once(' ') {
            found.push(Secret::new(last));
        }
    }
    found.extend(password_of(value).map(Secret::new));
    found
}

/// Returns the password of an address such as `postgres://user:password@host/db`.
pub(super) fn password_of(value: &str) -> Option<&str> {
    let (_, rest) = value.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let (user, _) = authority.rsplit_once('@')?;
    let (_, password) = user.split_once(':')?;
    Some(password)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_known_by_their_names() {
        for secret in [
            "GITHUB_TOKEN",
            "API_KEY",
            "apiKey",
            "OPENAI_APIKEY",
            "X-Auth",
            "Authorization",
            "DB_PASSWORD",
            "MY_PAT",
            "aws_secret_access_key",
        ] {
            assert!(is_secret_name(secret), "{secret}");
        }
        for plain in [
            "HOME",
            "ROOT",
            "GIT_AUTHOR_NAME",
            "LOG_LEVEL",
            "PATH",
            "MONKEY_ISLAND",
            "KEYBOARD",
        ] {
            assert!(!is_secret_name(plain), "{plain}");
        }
    }

    #[test]
    fn passwords_in_addresses_are_secrets() {
        assert_eq!(password_of("postgres://me:hunter2@db/x"), Some("hunter2"));
        for plain in ["https://host/a@b:c", "user@host", "https://me@host", ""] {
            assert_eq!(password_of(plain), None, "{plain}");
        }
    }
}
