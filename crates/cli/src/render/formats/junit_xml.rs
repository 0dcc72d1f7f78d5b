//! JUnit XML: suites of test cases, and their text.
//!
//! Source: the schema of Jenkins' xUnit plugin, junit-10.xsd.

/// A suite of cases: a model.
pub(crate) struct JunitSuite {
    pub(crate) name: String,
    pub(crate) cases: Vec<JunitCase>,
    pub(crate) seconds: f64,
}

/// A test case: a property of a model.
pub(crate) struct JunitCase {
    pub(crate) name: String,
    pub(crate) result: JunitResult,
}

/// The result of a test case.
pub(crate) enum JunitResult {
    /// Passed, with this output.
    Passed(String),
    Failed(Complaint),
    Error(Complaint),
    /// Not executed, for this reason.
    Skipped(String),
}

/// Why a case did not pass.
pub(crate) struct Complaint {
    pub(crate) kind: String,
    pub(crate) message: String,
    pub(crate) text: String,
}

/// The suites as a text.
pub(crate) fn document(suites: &[JunitSuite], seconds: f64) -> String {
    let all = Counts::of(suites.iter().flat_map(|suite| &suite.cases));
    let numbers = all.attributes(seconds);
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"beeline\" {numbers}>\n"
    );
    for suite in suites {
        out += &suite.element();
    }
    out + "</testsuites>\n"
}

/// The numbers of the cases of each kind.
struct Counts {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
}

impl Counts {
    fn of<'a>(cases: impl Iterator<Item = &'a JunitCase>) -> Counts {
        let mut counts = Counts { tests: 0, failures: 0, errors: 0, skipped: 0 };
        for case in cases {
            counts.tests += 1;
            match case.result {
                JunitResult::Passed(_) => {}
                JunitResult::Failed(_) => counts.failures += 1,
                JunitResult::Error(_) => counts.errors += 1,
                JunitResult::Skipped(_) => counts.skipped += 1,
            }
        }
        counts
    }

    fn attributes(&self, seconds: f64) -> String {
        let Counts { tests, failures, errors, .. } = self;
        format!(
            "tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{seconds:.3}\""
        )
    }
}

impl JunitSuite {
    fn element(&self) -> String {
        let counts = Counts::of(self.cases.iter());
        let (name, numbers) = (attribute(&self.name), counts.attributes(self.seconds));
        let skipped = counts.skipped;
        let mut out = format!("  <testsuite name=\"{name}\" {numbers} skipped=\"{skipped}\">\n");
        for case in &self.cases {
            let (own, element) = (attribute(&case.name), case.result.element());
            out += &format!(
                "    <testcase name=\"{own}\" classname=\"{name}\">\n      {element}\n    \
                 </testcase>\n"
            );
        }
        out + "  </testsuite>\n"
    }
}

impl JunitResult {
    fn element(&self) -> String {
        match self {
            JunitResult::Passed(text) => format!("<system-out>{}</system-out>", content(text)),
            JunitResult::Failed(complaint) => complaint.element("failure"),
            JunitResult::Error(complaint) => complaint.element("error"),
            JunitResult::Skipped(why) => format!("<skipped message=\"{}\"/>", attribute(why)),
        }
    }
}

impl Complaint {
    fn element(&self, name: &str) -> String {
        let Complaint { kind, message, text } = self;
        let (message, text) = (attribute(message), content(text));
        format!("<{name} type=\"{kind}\" message=\"{message}\">{text}</{name}>")
    }
}

/// Text between tags.
fn content(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars().filter(|letter| is_allowed(*letter)) {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '\r' => out += "&#13;",
            _ => out.push(letter),
        }
    }
    out
}

/// Text between quotes, where readers turn line ends into blanks.
fn attribute(text: &str) -> String {
    let text = content(text).replace('"', "&quot;");
    text.replace('\n', "&#10;").replace('\t', "&#9;")
}

/// XML 1.0 cannot represent most control characters: they are left out.
fn is_allowed(letter: char) -> bool {
    matches!(letter, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_escaped_and_control_characters_are_left_out() {
        assert_eq!(
            content("a < b && c > \"d\"\u{7}\u{0}\u{1b}\n"),
            "a &lt; b &amp;&amp; c &gt; \"d\"\n"
        );
        assert_eq!(attribute("say \"<a>\"\n\tb"), "say &quot;&lt;a&gt;&quot;&#10;&#9;b");
        assert_eq!(content("]]> \u{ffff} ü \u{1f41d}"), "]]&gt;  ü \u{1f41d}");
    }
}
