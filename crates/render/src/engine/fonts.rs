//! Fonts of the system, under the names that pages ask for.

use blitz_dom::BULLET_FONT;
use fontique::{Blob, Collection, CollectionOptions, FontInfoOverride, GenericFamily, SourceCache};
use std::sync::Arc;

/// What pages ask for, and what has letters of the same widths, the best first. Systems without the fonts of Windows know
/// of these; the engine does not ask them.
const STANDINS: [(&str, [&str; 3]); 9] = [
    ("Arial", SANS),
    ("Helvetica", SANS),
    ("Times New Roman", SERIF),
    ("Times", SERIF),
    ("Courier New", MONO),
    ("Courier", MONO),
    ("Verdana", ["DejaVu Sans", "Liberation Sans", "Noto Sans"]),
    // Where there is none as wide, browsers go on to what most pages name next: the serif letters of the system.
    ("Georgia", ["Gelasio", "Liberation Serif", "Tinos"]),
    ("Arial Narrow", ["Liberation Sans Narrow", "Liberation Sans", "Noto Sans"]),
];
const SANS: [&str; 3] = ["Liberation Sans", "Arimo", "DejaVu Sans"];
const SERIF: [&str; 3] = ["Liberation Serif", "Tinos", "DejaVu Serif"];
const MONO: [&str; 3] = ["Liberation Mono", "Cousine", "DejaVu Sans Mono"];

/// As browsers have it: unstyled text is of the Times kind.
const GENERICS: [(GenericFamily, &str); 4] = [
    (GenericFamily::Serif, "Times New Roman"),
    (GenericFamily::SansSerif, "Arial"),
    (GenericFamily::SystemUi, "Arial"),
    (GenericFamily::Monospace, "Courier New"),
];

/// The fonts of the system, to be cloned for each page.
pub(super) fn at_hand() -> (Collection, SourceCache) {
    let mut sources = SourceCache::new_shared();
    let mut fonts = Collection::new(CollectionOptions { shared: false, system_fonts: true });
    fonts.register_fonts(Blob::new(Arc::new(BULLET_FONT)), None);
    for (wanted, standins) in STANDINS {
        if fonts.family_id(wanted).is_none() {
            stand_in(&mut fonts, &mut sources, wanted, &standins);
        }
    }
    for (generic, family) in GENERICS {
        if let Some(family) = fonts.family_id(family) {
            let others: Vec<_> = fonts.generic_families(generic).collect();
            fonts.set_generic_families(generic, std::iter::once(family).chain(others));
        }
    }
    (fonts, sources)
}

fn stand_in(fonts: &mut Collection, sources: &mut SourceCache, wanted: &str, standins: &[&str]) {
    let Some(found) = standins.iter().find_map(|name| fonts.family_by_name(name)) else { return };
    for font in found.fonts() {
        if let Some(data) = font.load(Some(sources)) {
            let name =
                FontInfoOverride { family_name: Some(wanted), ..FontInfoOverride::default() };
            fonts.register_fonts(data, Some(name));
        }
    }
}
