//! Why values are what they are: for people, and as JSON lines.

mod text;

pub(crate) use text::TextWhy;

use pagemill::why::Explanation;
use pagemill::wrapper::escape::Escaping;
use pagemill::{InputPage, Page};
use serde::Serialize;
use std::io::{self, Write};

/// How it is told.
pub(crate) trait ShowWhy {
    fn show(
        &mut self,
        input: &InputPage,
        page: &Page,
        explained: &Explanation,
        out: &mut dyn Write,
    ) -> io::Result<()>;
}

/// Writes explanations as JSON lines.
pub(crate) struct JsonWhy;

impl ShowWhy for JsonWhy {
    fn show(
        &mut self,
        input: &InputPage,
        page: &Page,
        explained: &Explanation,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        for line in explained.to_json(input, page) {
            line.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, Escaping))?;
            out.write_all(b"\n")?;
        }
        Ok(())
    }
}
