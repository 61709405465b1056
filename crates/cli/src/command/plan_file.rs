//! Plans: those that are built in, and those in files.

use crate::exit::Exit;
use crate::output::talk;
use pagemill::crawl::Plan;

const BUILT_IN: [(&str, &str); 3] = [
    ("university", include_str!("../../../../plans/university.toml")),
    ("shop", include_str!("../../../../plans/shop.toml")),
    ("news", include_str!("../../../../plans/news.toml")),
];

/// The plan of a name, or of a file.
pub(super) fn read(name: &str) -> Result<Plan, Exit> {
    let built_in = BUILT_IN.iter().find(|(known, _)| *known == name);
    let text = match built_in {
        Some((_, text)) => (*text).to_owned(),
        None => match std::fs::read_to_string(name) {
            Ok(text) => text,
            Err(error) => {
                talk::say(format_args!(
                    "cannot read the plan {name:?}: {error}; university, shop and news are built in"
                ));
                return Err(Exit::Usage);
            }
        },
    };
    Plan::parse(&text).map_err(|error| {
        talk::say(format_args!("cannot follow the plan {name:?}: {error}"));
        Exit::Usage
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_that_are_built_in_can_be_followed() {
        for (name, _) in BUILT_IN {
            assert!(read(name).is_ok(), "{name}");
        }
    }
}
