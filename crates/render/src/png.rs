//! Drawings as PNG.

use crate::draw::Drawing;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// A picture of more pixels takes more memory than it shows anything; what is below is cut.
const MAX_PIXELS: u64 = 32 << 20;

/// A drawing in pixels.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The bytes of a PNG file.
    pub png: Vec<u8>,
    /// How many pixels high it is; less than the drawing where that was too high.
    pub height: u32,
}

/// Why a drawing could not be made into pixels. Drawings of ours always can, unless memory is short.
#[derive(Clone, Debug)]
pub struct PictureError(String);

impl fmt::Display for PictureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot draw it in pixels: {}", self.0)
    }
}

impl std::error::Error for PictureError {}

impl Drawing {
    /// The drawing in pixels, with the fonts of the system.
    pub fn to_png(&self) -> Result<Picture, PictureError> {
        let wrong = |error: String| PictureError(error);
        let options = Options { fontdb: fonts(), ..Options::default() };
        let tree = Tree::from_str(&self.svg, &options).map_err(|it| wrong(it.to_string()))?;
        let max_height = MAX_PIXELS / u64::from(self.width.max(1));
        let height = self.height.min(u32::try_from(max_height).unwrap_or(u32::MAX)).max(1);
        let mut pixels = Pixmap::new(self.width.max(1), height)
            .ok_or_else(|| wrong(format!("{} by {height} is no size", self.width)))?;
        resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
        let png = pixels.encode_png().map_err(|it| wrong(it.to_string()))?;
        Ok(Picture { png, height })
    }
}

/// Looking for fonts takes longer than drawing.
fn fonts() -> Arc<fontdb::Database> {
    static FONTS: OnceLock<Arc<fontdb::Database>> = OnceLock::new();
    let find = || {
        let mut fonts = fontdb::Database::new();
        fonts.load_system_fonts();
        choose_sans(&mut fonts);
        Arc::new(fonts)
    };
    Arc::clone(FONTS.get_or_init(find))
}

/// What systems without the fonts of drawings mostly have; the first has letters of about the widths that boxes are for.
const STANDINS: [&str; 4] = ["Arimo", "Noto Sans", "DejaVu Sans", "Roboto"];

/// Have letters where there are any: to the library `sans-serif` is Arial, and texts in fonts that are not there are left out.
fn choose_sans(fonts: &mut fontdb::Database) {
    let is_there = |fonts: &fontdb::Database, family: fontdb::Family<'_>| {
        fonts.query(&fontdb::Query { families: &[family], ..fontdb::Query::default() }).is_some()
    };
    if is_there(fonts, fontdb::Family::SansSerif) {
        return;
    }
    let known = STANDINS.iter().find(|name| is_there(fonts, fontdb::Family::Name(name)));
    let any = || fonts.faces().flat_map(|face| &face.families).map(|it| it.0.clone()).min();
    if let Some(family) = known.map(|name| (*name).to_owned()).or_else(any) {
        fonts.set_sans_serif_family(family);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Marks, by_rules, draw, stack};

    fn picture(html: &str, width: u32) -> (Drawing, Picture) {
        let page = page::parse(html.as_bytes());
        let leaves = page.leaves();
        let mut looks = by_rules(&page, &leaves);
        stack(&leaves, &mut looks, width);
        let drawing = draw(&leaves, &looks, &[], &Marks::types(&leaves), width);
        let picture = drawing.to_png().expect("it can be drawn");
        (drawing, picture)
    }

    #[test]
    fn a_drawing_has_its_size_in_pixels() {
        let (drawing, picture) = picture("<h1>Dune</h1><p bgcolor=red>$9.99", 300);
        let pixels = Pixmap::decode_png(&picture.png).expect("it is a PNG");
        assert_eq!((pixels.width(), pixels.height()), (drawing.width, drawing.height));
        let red = pixels.pixels().iter().filter(|it| (it.red(), it.green()) == (255, 0)).count();
        assert!(red > 100, "{red} pixels are red");
    }

    #[test]
    fn texts_are_drawn_where_there_are_letters() {
        if fonts().is_empty() {
            return;
        }
        let (_, picture) = picture("<p>The old bridge will be closed for repair", 400);
        let pixels = Pixmap::decode_png(&picture.png).expect("it is a PNG");
        let dark = pixels.pixels().iter().filter(|it| it.red() < 64 && it.blue() < 64).count();
        assert!(dark > 100, "{dark} pixels are dark");
    }

    #[test]
    fn a_picture_without_end_is_cut() {
        let (drawing, picture) = picture(&"<p>text".repeat(12_000), 1000);
        assert!(drawing.height > 100_000 && picture.height < 40_000, "{}", picture.height);
    }
}
