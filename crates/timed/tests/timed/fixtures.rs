//! Small models of single points of the semantics: the expected answers are in the first comment of
//! each, as they follow from UPPAAL's documentation. Each answer is found by zones, with and without
//! inclusion, and by the digitised semantics, which shares no code with them.

use beeline_search::{CoveringStore, ExactStore};

use crate::digitised::digitised;
use crate::exploring::{Answer, explore, model};

/// The fixtures: files with the extension `xta`.
const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures");

/// The lines `// yes: QUERY` and `// no: QUERY` of a fixture, and `// refused: QUERY` for one that
/// stays open.
pub(crate) fn expected(text: &str) -> Vec<(Answer, String)> {
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix("// "));
    let answers = lines.filter_map(|line| {
        let (answer, query) = line.split_once(": ")?;
        let answer = match answer {
            "yes" => Answer::Yes,
            "no" => Answer::No,
            "refused" => Answer::Open,
            _ => return None,
        };
        Some((answer, query.to_owned()))
    });
    answers.collect()
}

/// All fixtures: name, text, and the queries in it.
pub(crate) fn fixtures() -> Vec<(String, String, Vec<String>)> {
    let mut files: Vec<_> = std::fs::read_dir(FIXTURES)
        .expect("the directory is there")
        .map(|entry| entry.expect("it can be read").path())
        .collect();
    files.sort();
    let read = |path: std::path::PathBuf| {
        let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("the fixture can be read");
        let queries = expected(&text).into_iter().map(|(_, query)| query).collect();
        (name, text, queries)
    };
    files.into_iter().map(read).collect()
}

#[test]
fn small_models_have_the_answers_in_their_headers() {
    let mut answers = 0;
    for (name, text, _) in fixtures() {
        let expected = expected(&text);
        assert!(!expected.is_empty(), "{name} expects nothing");
        let queries: Vec<&str> = expected.iter().map(|(_, query)| &**query).collect();
        let model = model(&text, &queries);
        let by_inclusion = explore::<CoveringStore>(&model, 20_000);
        let by_equality = explore::<ExactStore>(&model, 20_000);
        assert!(by_inclusion.stored <= by_equality.stored, "{name}");
        let concrete = digitised(&model, 200_000);
        for (at, (wanted, query)) in expected.iter().enumerate() {
            assert_eq!(by_inclusion.answers[at].1, *wanted, "{name}: {query}");
            assert_eq!(by_equality.answers[at].1, *wanted, "{name}: {query} without inclusion");
            if *wanted != Answer::Open {
                assert_eq!(concrete[at], *wanted, "{name}: {query}, digitised");
            }
            answers += 1;
        }
    }
    assert!(answers >= 60, "{answers}");
}
