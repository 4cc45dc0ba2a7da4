//! Compares word pieces and vectors with `tokenizers` and `model2vec-rs`, which defined the
//! formats.

use std::path::PathBuf;
use std::sync::LazyLock;

use capstan_embed::StaticModel;
use proptest::prelude::*;
use tokenizers::Tokenizer;
use unicode_categories::UnicodeCategories as _;
use unicode_general_category::{GeneralCategory, get_general_category};

static OURS: LazyLock<StaticModel> = LazyLock::new(StaticModel::built_in);

static PIECES: LazyLock<Tokenizer> =
    LazyLock::new(|| Tokenizer::from_file(model().join("tokenizer.json")).unwrap());

static VECTORS: LazyLock<model2vec_rs::model::StaticModel> = LazyLock::new(|| {
    model2vec_rs::model::StaticModel::from_pretrained(model(), None, None, None).unwrap()
});

const ODD: &[&str] = &[
    "",
    " ",
    "\0",
    "close issue 5",
    "List the open pull requests of a repository, newest first.",
    "Ünïcödé ÀÉÎÕÜ ß ẞ ŉ ǰ ﬁ Ⅷ",
    "e\u{301}\u{323} e\u{323}\u{301} \u{301} \u{301}\u{301}",
    "İI ıi ΑΣ Σας ΌΣΟΣ",
    "日本語 テキスト ﾃｷｽﾄ がぎぐ 한국어 中文字符混合text",
    "שלום עולם مرحبا بالعالم \u{202e}abc\u{202c}",
    "👩‍👩‍👧‍👦 🇩🇪 👍🏽 🙂text🙂",
    "tab\tnew\nline\r\nform\u{c}feed\u{b}vt\u{85}nel\u{2028}ls",
    "zero\u{200b}width\u{200d}joiner\u{feff}bom\u{ad}soft",
    "\u{fffd}\u{0}\u{1}\u{7f}\u{80}\u{e000}\u{f0000}",
    "[CLS] [SEP] [MASK] [PAD] [UNK] [unk] [CLS [CLS]] a[SEP]b",
    "##ing ## # ##",
    "snake_case camelCase kebab-case path/to/file.rs a.b@c.d $x=1+2; \"'`^~|<>",
    "¿qué? «guillemets» “quotes” … — ‐ · §",
    "\u{1d165}\u{1d16e}\u{1d15f} \u{1b44}\u{302e}\u{302f}\u{16ff0}",
    "नमस्ते สวัสดี தமிழ்",
];

#[test]
fn odd_texts_have_the_same_pieces_and_vectors() {
    for text in ODD {
        check(text);
    }
    for length in [99, 100, 101, 511, 512, 513, 5_000] {
        for unit in ["a", "é", "字", "ab ", "[SEP]", "\u{301}", "#", "🙂"] {
            check(&unit.repeat(length));
        }
    }
}

#[test]
fn every_kind_of_character_is_treated_the_same() {
    // One in fifty of the many similar ones: letters without case, pictures, and unassigned
    // characters.
    let alike = |char: &char| {
        use GeneralCategory as C;
        let category = get_general_category(*char);
        let many = matches!(
            category,
            C::OtherLetter | C::OtherSymbol | C::Unassigned | C::PrivateUse
        );
        u32::from(*char) > 0x500 && many
    };
    let (many, all): (Vec<_>, Vec<_>) = ('\0'..=char::MAX)
        .filter(|char| agreed(*char))
        .partition(alike);
    for char in all.into_iter().chain(many.into_iter().step_by(53)) {
        pieces(&format!("a{char}b {char}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_has_the_same_pieces_and_vectors(text in texts()) {
        check(&text);
    }
}

fn texts() -> impl Strategy<Value = String> {
    let parts = prop_oneof![
        4 => "[a-z]{1,12}",
        2 => "[ -~]{1,20}",
        2 => proptest::sample::select(ODD).prop_map(str::to_owned),
        2 => "[\u{300}-\u{36f}\u{590}-\u{6ff}\u{900}-\u{97f}\u{1e00}-\u{1fff}]{1,8}",
        1 => "[\u{2000}-\u{2fff}\u{3000}-\u{30ff}\u{4e00}-\u{4eff}\u{ac00}-\u{acff}]{1,8}",
        1 => "[\u{1f300}-\u{1faff}\u{1d100}-\u{1d1ff}\u{2f800}-\u{2fa1f}]{1,4}",
        1 => proptest::collection::vec(any::<char>(), 1..6).prop_map(String::from_iter),
        1 => ("[a-zé字]", 1..200_usize).prop_map(|(unit, times)| unit.repeat(times)),
    ];
    let parts = proptest::collection::vec(parts, 0..12);
    parts.prop_map(|parts| {
        parts
            .concat()
            .chars()
            .filter(|char| agreed(*char))
            .collect()
    })
}

fn check(text: &str) {
    pieces(text);
    let (ours, theirs) = (OURS.embed(text), VECTORS.encode_single(text));
    assert_eq!(ours.len(), theirs.len());
    for (ours, theirs) in ours.iter().zip(theirs) {
        assert!((ours - theirs).abs() < 1e-6, "{text:?}: {ours} {theirs}");
    }
}

fn pieces(text: &str) {
    let theirs = PIECES.encode_fast(text, false).unwrap();
    let ours = OURS.ids(text);
    // We stop early.
    let most = ours.len().max(theirs.get_ids().len().min(400));
    assert_eq!(ours, theirs.get_ids()[..most], "{text:?}");
}

/// Returns whether the oracle's tables classify a character as ours do. Theirs are from 2015, so
/// characters that are newer or were reclassified are not compared.
fn agreed(char: char) -> bool {
    use GeneralCategory as C;
    let category = get_general_category(char);
    let control = matches!(category, C::Control | C::Format | C::PrivateUse);
    let punctuation = matches!(
        category,
        C::ConnectorPunctuation
            | C::DashPunctuation
            | C::OpenPunctuation
            | C::ClosePunctuation
            | C::InitialPunctuation
            | C::FinalPunctuation
            | C::OtherPunctuation
    );
    control == char.is_other()
        && punctuation == char.is_punctuation()
        && (category == C::NonspacingMark) == char.is_mark_nonspacing()
}

fn model() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../model")
}
