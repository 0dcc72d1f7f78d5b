//! Help texts: headings and examples.

use crate::run::run;

#[test]
fn every_command_has_examples() {
    let top = run(&["--help"]).out;
    let (_, commands) = top.split_once("Commands:\n").expect("there is a list of commands");
    let commands = commands.lines().take_while(|line| !line.is_empty());
    let names: Vec<_> =
        commands.filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    let names: Vec<_> = names.into_iter().filter(|name| !["", "help"].contains(name)).collect();
    assert!(names.contains(&"check") && names.contains(&"explain"), "{names:?}");
    for name in names {
        let help = run(&[name, "--help"]).out;
        let own = format!("  beeline {name} ");
        let examples = help.lines().filter(|line| line.starts_with(&own)).count();
        assert!(examples >= 2, "{name} has {examples} examples:\n{help}");
    }
}

#[test]
fn options_have_headings() {
    let help = run(&["check", "--help"]).out;
    let headings = [
        "Model",
        "Properties",
        "Search",
        "Limits",
        "Trails and charts",
        "Expected verdicts",
        "Output",
    ];
    for heading in headings {
        assert!(help.contains(&format!("\n{heading}:\n")), "{heading} is not in\n{help}");
    }
    let place = |text: &str| help.find(text).unwrap_or_else(|| panic!("{text} is not in {help}"));
    assert!(place("\nLimits:") < place("--memory <SIZE>"));
    assert!(place("\nProperties:") < place("--property <P>"));
    assert!(place("Usage: beeline check") < place("Examples:\n"));
}
