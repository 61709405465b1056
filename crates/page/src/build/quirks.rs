//! Doctypes, and which of them ask for quirks (13.2.6.4.1). In quirks mode, a table may stand in a paragraph.

use crate::tree::Doctype;

/// A doctype as it was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DoctypeToken {
    pub(crate) name: Option<String>,
    pub(crate) public: Option<String>,
    pub(crate) system: Option<String>,
    pub(crate) force_quirks: bool,
}

impl DoctypeToken {
    pub(crate) fn into_node(self) -> Doctype {
        Doctype {
            name: self.name.unwrap_or_default(),
            public: self.public.unwrap_or_default(),
            system: self.system.unwrap_or_default(),
        }
    }

    pub(crate) fn asks_for_quirks(&self) -> bool {
        if self.force_quirks || self.name.as_deref() != Some("html") {
            return true;
        }
        let is = |found: &Option<String>, wanted: &str| {
            found.as_deref().is_some_and(|found| found.eq_ignore_ascii_case(wanted))
        };
        is(&self.system, QUIRKY_SYSTEM)
            || QUIRKY_PUBLIC.iter().any(|wanted| is(&self.public, wanted))
            || self.has_public_prefix(&QUIRKY_PREFIXES)
            || self.system.is_none() && self.has_public_prefix(&QUIRKY_PREFIXES_ALONE)
    }

    fn has_public_prefix(&self, prefixes: &[&str]) -> bool {
        let Some(public) = self.public.as_deref() else { return false };
        prefixes.iter().any(|prefix| {
            public.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
        })
    }
}

const QUIRKY_SYSTEM: &str = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd";

static QUIRKY_PUBLIC: [&str; 3] =
    ["-//w3o//dtd w3 html strict 3.0//en//", "-/w3c/dtd html 4.0 transitional/en", "html"];

/// These mean quirks where no system identifier follows.
static QUIRKY_PREFIXES_ALONE: [&str; 2] =
    ["-//w3c//dtd html 4.01 frameset//", "-//w3c//dtd html 4.01 transitional//"];

static QUIRKY_PREFIXES: [&str; 54] = [
    "-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
    "-//as//dtd html 3.0 aswedit + extensions//",
    "-//ietf//dtd html 2.0 level 1//",
    "-//ietf//dtd html 2.0 level 2//",
    "-//ietf//dtd html 2.0 strict level 1//",
    "-//ietf//dtd html 2.0 strict level 2//",
    "-//ietf//dtd html 2.0 strict//",
    "-//ietf//dtd html 2.0//",
    "-//ietf//dtd html 2.1e//",
    "-//ietf//dtd html 3.0//",
    "-//ietf//dtd html 3.2 final//",
    "-//ietf//dtd html 3.2//",
    "-//ietf//dtd html 3//",
    "-//ietf//dtd html level 0//",
    "-//ietf//dtd html level 1//",
    "-//ietf//dtd html level 2//",
    "-//ietf//dtd html level 3//",
    "-//ietf//dtd html strict level 0//",
    "-//ietf//dtd html strict level 1//",
    "-//ietf//dtd html strict level 2//",
    "-//ietf//dtd html strict level 3//",
    "-//ietf//dtd html strict//",
    "-//ietf//dtd html//",
    "-//metrius//dtd metrius presentational//",
    "-//microsoft//dtd internet explorer 2.0 html strict//",
    "-//microsoft//dtd internet explorer 2.0 html//",
    "-//microsoft//dtd internet explorer 2.0 tables//",
    "-//microsoft//dtd internet explorer 3.0 html strict//",
    "-//microsoft//dtd internet explorer 3.0 html//",
    "-//microsoft//dtd internet explorer 3.0 tables//",
    "-//netscape comm. corp.//dtd html//",
    "-//netscape comm. corp.//dtd strict html//",
    "-//o'reilly and associates//dtd html 2.0//",
    "-//o'reilly and associates//dtd html extended 1.0//",
    "-//o'reilly and associates//dtd html extended relaxed 1.0//",
    "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
    "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
    "-//spyglass//dtd html 2.0 extended//",
    "-//sq//dtd html 2.0 hotmetal + extensions//",
    "-//sun microsystems corp.//dtd hotjava html//",
    "-//sun microsystems corp.//dtd hotjava strict html//",
    "-//w3c//dtd html 3 1995-03-24//",
    "-//w3c//dtd html 3.2 draft//",
    "-//w3c//dtd html 3.2 final//",
    "-//w3c//dtd html 3.2//",
    "-//w3c//dtd html 3.2s draft//",
    "-//w3c//dtd html 4.0 frameset//",
    "-//w3c//dtd html 4.0 transitional//",
    "-//w3c//dtd html experimental 19960712//",
    "-//w3c//dtd html experimental 970421//",
    "-//w3c//dtd w3 html//",
    "-//w3o//dtd w3 html 3.0//",
    "-//webtechs//dtd mozilla html 2.0//",
    "-//webtechs//dtd mozilla html//",
];
