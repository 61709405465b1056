//! The guide's examples say what they say.

use network::{Answer, AnswerValue, Done, Network, Source};

const GUIDE: &str = include_str!("../../../docs/network.md");

#[test]
fn the_examples_of_the_guide_run() {
    let folder = tempfile::tempdir().unwrap();
    for store in [folder.path().join("u.db").display().to_string(), crate::postgres::database()] {
        let mut network = Network::open(&store).unwrap();
        let mut said: Option<String> = None;
        for (language, text) in blocks(GUIDE) {
            match language {
                "inm" => {
                    assert_eq!(
                        said.take().unwrap_or_default(),
                        "",
                        "what is before {text} is not in the guide"
                    );
                    said = Some(run(&mut network, text));
                }
                "text" => assert_eq!(said.take().as_deref(), Some(text.trim_end())),
                _ => {}
            }
        }
    }
}

fn run(network: &mut Network, text: &str) -> String {
    match network.run(text, &Source::page("", 1)) {
        Err(error) => error.to_string(),
        Ok(all) => all.iter().flat_map(lines).collect::<Vec<String>>().join("\n"),
    }
}

fn lines(done: &Done) -> Vec<String> {
    match done {
        Done::Answer(Answer::Truth(truth)) => vec![truth.to_string()],
        Done::Answer(Answer::Table(table)) => {
            let line = |row: &Vec<AnswerValue>| {
                row.iter().map(AnswerValue::text).collect::<Vec<String>>().join(" | ")
            };
            table.rows.iter().map(line).collect()
        }
        _ => Vec::new(),
    }
}

/// The blocks of code in a text, each with its language.
fn blocks(text: &str) -> Vec<(&str, &str)> {
    let parts: Vec<&str> = text.split("```").collect();
    parts.iter().skip(1).step_by(2).filter_map(|block| block.split_once('\n')).collect()
}
