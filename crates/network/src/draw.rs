//! The tree of units as a picture: a line a unit, with how many play roles in it.
//!
//! A list with indents rather than a tree in the plane: fifty names side by side cannot be read.

use crate::error::Error;
use crate::export::escaped;
use crate::facts::{Facts, ObjectId, ObjectRow};
use crate::network::Network;
use crate::store::Param;
use std::fmt::Write;

/// More units are counted, not drawn.
const MAX_LINES: usize = 2000;
/// Deeper ones are left out.
const MAX_DEPTH: usize = 32;
const LINE: usize = 24;
const INDENT: usize = 26;
const MARGIN: usize = 20;
/// How wide a letter of the font is at most, about.
const LETTER: usize = 8;
const MAX_NAME: usize = 70;
const BAR: usize = 160;
/// Told apart by people who see colours differently too (Okabe and Ito).
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

struct Line {
    depth: usize,
    row: ObjectRow,
    n_own: i64,
    /// With all that it contains, each one once.
    n_all: i64,
    is_last: bool,
}

impl Network {
    /// A drawing of the units and of how many play roles in them, as SVG.
    pub fn draw(&mut self) -> Result<String, Error> {
        let lines = self.look(lines)?;
        let schema = self.schema.clone();
        let class = |row: &ObjectRow| schema.class(row.class).name.clone();
        Ok(svg(&lines, &class, self.store()))
    }
}

fn lines(facts: &mut Facts<'_>) -> Result<Vec<Line>, Error> {
    let units: Vec<_> = facts
        .schema()
        .classes()
        .map(|(id, _)| id)
        .filter(|id| facts.schema().is_unit(*id))
        .collect();
    let classes = crate::facts::class_list(units);
    let query = format!(
        "SELECT id FROM net_object WHERE container = 0 AND gone = 0 AND class IN ({classes}) ORDER BY name, id"
    );
    let roots = facts.db.ints(&query, &[])?;
    let mut lines = Vec::new();
    let n_roots = roots.len();
    for (idx, root) in roots.into_iter().enumerate() {
        add(facts, &mut lines, ObjectId(root), 0, idx + 1 == n_roots)?;
    }
    Ok(lines)
}

fn add(
    facts: &mut Facts<'_>,
    lines: &mut Vec<Line>,
    id: ObjectId,
    depth: usize,
    is_last: bool,
) -> Result<(), Error> {
    let Some(row) = facts.object(id)? else { return Ok(()) };
    let n_own = count(facts, PLAYERS, id)?;
    let n_all = count(facts, PLAYERS_BELOW, id)?;
    lines.push(Line { depth, row, n_own, n_all, is_last });
    if depth == MAX_DEPTH || lines.len() > MAX_LINES {
        return Ok(());
    }
    let mut parts: Vec<ObjectRow> = facts.parts(id)?;
    parts.retain(|part| part.gone.is_none() && facts.schema().is_unit(part.class));
    parts.sort_by(|one, other| one.name.cmp(&other.name));
    let n_parts = parts.len();
    for (idx, part) in parts.iter().enumerate() {
        add(facts, lines, part.id, depth + 1, idx + 1 == n_parts)?;
    }
    Ok(())
}

const PLAYERS: &str = "SELECT count(DISTINCT player) FROM net_role WHERE unit = ?1 AND gone = 0";
const PLAYERS_BELOW: &str = "WITH RECURSIVE below(id) AS (SELECT id FROM net_object WHERE id = ?1
    UNION SELECT o.id FROM net_object o JOIN below b ON o.container = b.id WHERE o.gone = 0)
    SELECT count(DISTINCT r.player) FROM net_role r JOIN below b ON r.unit = b.id WHERE r.gone = 0";

fn count(facts: &mut Facts<'_>, query: &str, id: ObjectId) -> Result<i64, Error> {
    Ok(facts.db.ints(query, &[Param::Int(id.0)])?.first().copied().unwrap_or_default())
}

fn svg(lines: &[Line], class: &dyn Fn(&ObjectRow) -> String, title: &str) -> String {
    let shown = &lines[..lines.len().min(MAX_LINES)];
    let mut classes: Vec<String> = Vec::new();
    for line in shown {
        let name = class(&line.row);
        if !classes.contains(&name) {
            classes.push(name);
        }
    }
    let widest = shown
        .iter()
        .map(|line| line.depth * INDENT + name_of(line).chars().count() * LETTER)
        .max()
        .unwrap_or(200);
    let bars = MARGIN + widest + 40;
    let (width, height) = (bars + BAR + 120 + MARGIN, MARGIN * 2 + LINE * (shown.len() + 3));
    let mut out = String::new();
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"14\">\n\
         <title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        escaped(title)
    );
    legend(&mut out, &classes, bars);
    let most = shown.iter().map(|line| line.n_own).max().unwrap_or(0).max(1);
    for (idx, line) in shown.iter().enumerate() {
        let y = MARGIN + LINE * (idx + 2);
        connect(&mut out, shown, idx, y);
        unit(&mut out, line, &classes, &class(&line.row), y);
        bar(&mut out, line, bars, most, y);
    }
    if lines.len() > shown.len() {
        let y = MARGIN + LINE * (shown.len() + 2);
        let _ = writeln!(
            out,
            "<text x=\"{MARGIN}\" y=\"{y}\" fill=\"#555555\">… and {} more</text>",
            lines.len() - shown.len()
        );
    }
    out + "</svg>\n"
}

fn legend(out: &mut String, classes: &[String], bars: usize) {
    let mut x = MARGIN;
    for (idx, class) in classes.iter().enumerate() {
        let colour = COLOURS[idx % COLOURS.len()];
        let _ =
            writeln!(out, "<circle cx=\"{}\" cy=\"{}\" r=\"5\" fill=\"{colour}\"/>", x + 5, MARGIN);
        let _ =
            writeln!(out, "<text x=\"{}\" y=\"{}\">{}</text>", x + 16, MARGIN + 5, escaped(class));
        x += 36 + class.chars().count() * LETTER;
    }
    let y = MARGIN + LINE + 4;
    let _ = writeln!(
        out,
        "<text x=\"{bars}\" y=\"{y}\" fill=\"#555555\" font-size=\"12\">people here, and with all below</text>"
    );
}

/// The name of a unit, no longer than a line has room for.
fn name_of(line: &Line) -> String {
    let name: String = line.row.name.chars().take(MAX_NAME).collect();
    if line.row.name.chars().count() > MAX_NAME { name + "…" } else { name }
}

/// Lines to the unit above, and past those that follow it.
fn connect(out: &mut String, lines: &[Line], idx: usize, y: usize) {
    let line = &lines[idx];
    if line.depth == 0 {
        return;
    }
    let x = MARGIN + (line.depth - 1) * INDENT + 6;
    let middle = y - 5;
    // Below its mark, if it is the unit above that stands before it.
    let start = if lines[idx - 1].depth < line.depth { middle - LINE + 6 } else { middle - LINE };
    let _ = writeln!(
        out,
        "<path d=\"M{x} {start} V{middle} H{}\" fill=\"none\" stroke=\"#aaaaaa\"/>",
        x + INDENT - 10
    );
    // Ancestors that have more to come are drawn through.
    let mut depth = line.depth;
    for above in lines[..idx].iter().rev() {
        if above.depth < depth {
            depth = above.depth;
            if depth > 0 && !above.is_last {
                let x = MARGIN + (depth - 1) * INDENT + 6;
                let _ = writeln!(
                    out,
                    "<path d=\"M{x} {} V{}\" stroke=\"#aaaaaa\"/>",
                    middle - LINE,
                    middle
                );
            }
        }
        if depth == 0 {
            break;
        }
    }
}

fn unit(out: &mut String, line: &Line, classes: &[String], class: &str, y: usize) {
    let x = MARGIN + line.depth * INDENT;
    let idx = classes.iter().position(|it| it == class).unwrap_or_default();
    let colour = COLOURS[idx % COLOURS.len()];
    let weight = if line.depth == 0 { " font-weight=\"bold\"" } else { "" };
    let _ = writeln!(out, "<circle cx=\"{}\" cy=\"{}\" r=\"5\" fill=\"{colour}\"/>", x + 6, y - 5);
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{y}\"{weight}>{}</text>",
        x + 18,
        escaped(&name_of(line))
    );
}

fn bar(out: &mut String, line: &Line, x: usize, most: i64, y: usize) {
    let share = line.n_own as f64 / most as f64 * BAR as f64;
    let _ = writeln!(
        out,
        "<rect x=\"{x}\" y=\"{}\" width=\"{share:.1}\" height=\"12\" fill=\"#bbbbbb\"/>",
        y - 11
    );
    let all = if line.n_all > line.n_own { format!(" ({})", line.n_all) } else { String::new() };
    let at = x as f64 + share + 6.0;
    let _ = writeln!(out, "<text x=\"{at:.1}\" y=\"{y}\">{}{all}</text>", line.n_own);
}
