//! The tags that tree construction knows by name, and what it has to know of each.
//!
//! The HTML standard asks of nearly every element whether it is one of a dozen lists. Here each list is a bit, and the
//! question a test of it.

/// What is special about an element: bits, one for each list of the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Traits(u32);

impl Traits {
    pub(crate) const NONE: Traits = Traits(0);
    /// Ends the search for an element that an end tag closes (13.2.4.2).
    pub(crate) const SPECIAL: Traits = Traits(1);
    /// Is reopened after each block until it is closed.
    pub(crate) const FORMATTING: Traits = Traits(1 << 1);
    /// Nothing above it is in scope.
    pub(crate) const SCOPE: Traits = Traits(1 << 2);
    /// Nothing above it is in list item scope.
    pub(crate) const LIST_SCOPE: Traits = Traits(1 << 3);
    /// Nothing above it is in button scope.
    pub(crate) const BUTTON_SCOPE: Traits = Traits(1 << 4);
    /// Nothing above it is in table scope; a table's parts go right below it.
    pub(crate) const TABLE_SCOPE: Traits = Traits(1 << 5);
    /// Rows go right below it.
    pub(crate) const HOLDS_ROWS: Traits = Traits(1 << 6);
    /// Cells go right below it.
    pub(crate) const HOLDS_CELLS: Traits = Traits(1 << 7);
    /// Has an end tag that may be left out.
    pub(crate) const IMPLIED_END: Traits = Traits(1 << 8);
    /// Is closed by the end of a template.
    pub(crate) const IMPLIED_BY_TEMPLATE: Traits = Traits(1 << 9);
    /// `<h1>` to `<h6>`
    pub(crate) const HEADING: Traits = Traits(1 << 10);
    /// `<td>` and `<th>`
    pub(crate) const CELL: Traits = Traits(1 << 11);
    /// Has no place for text, which goes before the table instead.
    pub(crate) const FOSTERS: Traits = Traits(1 << 12);
    /// Has no content, so it never stays open.
    pub(crate) const VOID: Traits = Traits(1 << 13);
    /// Has raw text for content.
    pub(crate) const RAW: Traits = Traits(1 << 14);
    /// A start tag that ends foreign content.
    pub(crate) const BREAKS_OUT: Traits = Traits(1 << 15);
    /// `<address>`, `<div>`, `<p>`: special, but a list item is closed through them.
    pub(crate) const CLOSES_THROUGH: Traits = Traits(1 << 16);
    /// An element of SVG or MathML.
    pub(crate) const FOREIGN: Traits = Traits(1 << 17);
    /// An element of MathML that holds text.
    pub(crate) const MATHML_TEXT: Traits = Traits(1 << 18);
    /// An element of SVG that holds HTML.
    pub(crate) const SVG_HTML: Traits = Traits(1 << 19);
    /// MathML's `<annotation-xml>`.
    pub(crate) const ANNOTATION: Traits = Traits(1 << 20);
    /// An `<annotation-xml>` that holds HTML.
    pub(crate) const HOLDS_HTML: Traits = Traits(1 << 21);
    /// `<template>`: what is put in it goes into its contents.
    pub(crate) const TEMPLATE: Traits = Traits(1 << 22);
    /// Belongs in the head, and is treated as there wherever it stands.
    pub(crate) const HEAD_CONTENT: Traits = Traits(1 << 23);

    /// Both together.
    pub(crate) const fn and(self, other: Traits) -> Traits {
        Traits(self.0 | other.0)
    }

    /// Whether it has one of these.
    #[inline]
    pub(crate) const fn any(self, of: Traits) -> bool {
        self.0 & of.0 != 0
    }
}

macro_rules! tags {
    ($($tag:ident $name:literal $($trait:ident)*;)*) => {
        /// A name that tree construction knows.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub(crate) enum Tag {
            /// Any other name; and whatever is not HTML.
            Other,
            $($tag,)*
        }

        static TRAITS: [Traits; 1 + [$($name,)*].len()] =
            [Traits::NONE, $(Traits(0 $(| Traits::$trait.0)*),)*];

        static NAMES: [&str; TRAITS.len()] = ["", $($name,)*];

        impl Tag {
            /// The tag of that name, in lower case.
            pub(crate) fn of(name: &str) -> Tag {
                match name {
                    $($name => Tag::$tag,)*
                    _ => Tag::Other,
                }
            }
        }
    };
}

impl Tag {
    #[inline]
    pub(crate) fn traits(self) -> Traits {
        TRAITS[self as usize]
    }

    #[inline]
    pub(crate) fn is(self, one_of: Traits) -> bool {
        self.traits().any(one_of)
    }

    pub(crate) fn name(self) -> &'static str {
        NAMES[self as usize]
    }
}

tags! {
    A "a" FORMATTING;
    Address "address" SPECIAL CLOSES_THROUGH;
    Applet "applet" SPECIAL SCOPE;
    Area "area" SPECIAL VOID;
    Article "article" SPECIAL;
    Aside "aside" SPECIAL;
    B "b" FORMATTING BREAKS_OUT;
    Base "base" SPECIAL VOID HEAD_CONTENT;
    Basefont "basefont" SPECIAL HEAD_CONTENT;
    Bgsound "bgsound" SPECIAL HEAD_CONTENT;
    Big "big" FORMATTING BREAKS_OUT;
    Blockquote "blockquote" SPECIAL BREAKS_OUT;
    Body "body" SPECIAL BREAKS_OUT;
    Br "br" SPECIAL VOID BREAKS_OUT;
    Button "button" SPECIAL BUTTON_SCOPE;
    Caption "caption" SPECIAL SCOPE IMPLIED_BY_TEMPLATE;
    Center "center" SPECIAL BREAKS_OUT;
    Code "code" FORMATTING BREAKS_OUT;
    Col "col" SPECIAL VOID;
    Colgroup "colgroup" SPECIAL IMPLIED_BY_TEMPLATE;
    Dd "dd" SPECIAL IMPLIED_END BREAKS_OUT;
    Details "details" SPECIAL;
    Dialog "dialog";
    Dir "dir" SPECIAL;
    Div "div" SPECIAL CLOSES_THROUGH BREAKS_OUT;
    Dl "dl" SPECIAL BREAKS_OUT;
    Dt "dt" SPECIAL IMPLIED_END BREAKS_OUT;
    Em "em" FORMATTING BREAKS_OUT;
    Embed "embed" SPECIAL VOID BREAKS_OUT;
    Fieldset "fieldset" SPECIAL;
    Figcaption "figcaption" SPECIAL;
    Figure "figure" SPECIAL;
    Font "font" FORMATTING;
    Footer "footer" SPECIAL;
    Form "form" SPECIAL;
    Frame "frame" SPECIAL;
    Frameset "frameset" SPECIAL;
    H1 "h1" SPECIAL HEADING BREAKS_OUT;
    H2 "h2" SPECIAL HEADING BREAKS_OUT;
    H3 "h3" SPECIAL HEADING BREAKS_OUT;
    H4 "h4" SPECIAL HEADING BREAKS_OUT;
    H5 "h5" SPECIAL HEADING BREAKS_OUT;
    H6 "h6" SPECIAL HEADING BREAKS_OUT;
    Head "head" SPECIAL BREAKS_OUT;
    Header "header" SPECIAL;
    Hgroup "hgroup" SPECIAL;
    Hr "hr" SPECIAL VOID BREAKS_OUT;
    Html "html" SPECIAL SCOPE TABLE_SCOPE HOLDS_ROWS HOLDS_CELLS;
    I "i" FORMATTING BREAKS_OUT;
    Iframe "iframe" SPECIAL RAW;
    Image "image";
    Img "img" SPECIAL VOID BREAKS_OUT;
    Input "input" SPECIAL VOID;
    Isindex "isindex" SPECIAL;
    Keygen "keygen";
    Li "li" SPECIAL IMPLIED_END BREAKS_OUT;
    Link "link" SPECIAL VOID HEAD_CONTENT;
    Listing "listing" SPECIAL BREAKS_OUT;
    Main "main" SPECIAL;
    Malignmark "malignmark";
    Marquee "marquee" SPECIAL SCOPE;
    Math "math";
    Menu "menu" SPECIAL BREAKS_OUT;
    Meta "meta" SPECIAL VOID BREAKS_OUT HEAD_CONTENT;
    Mglyph "mglyph";
    Nav "nav" SPECIAL;
    Nobr "nobr" FORMATTING BREAKS_OUT;
    Noembed "noembed" SPECIAL RAW;
    Noframes "noframes" SPECIAL RAW HEAD_CONTENT;
    Noscript "noscript" SPECIAL RAW;
    Object "object" SPECIAL SCOPE;
    Ol "ol" SPECIAL LIST_SCOPE BREAKS_OUT;
    Optgroup "optgroup" IMPLIED_END;
    Option "option" IMPLIED_END;
    P "p" SPECIAL IMPLIED_END CLOSES_THROUGH BREAKS_OUT;
    Param "param" SPECIAL VOID;
    Plaintext "plaintext" SPECIAL RAW;
    Pre "pre" SPECIAL BREAKS_OUT;
    Rb "rb" IMPLIED_END;
    Rp "rp" IMPLIED_END;
    Rt "rt" IMPLIED_END;
    Rtc "rtc" IMPLIED_END;
    Ruby "ruby" BREAKS_OUT;
    S "s" FORMATTING BREAKS_OUT;
    Script "script" SPECIAL RAW HEAD_CONTENT;
    Search "search";
    Section "section" SPECIAL;
    Select "select" SPECIAL SCOPE;
    Small "small" FORMATTING BREAKS_OUT;
    Source "source" SPECIAL VOID;
    Span "span" BREAKS_OUT;
    Strike "strike" FORMATTING BREAKS_OUT;
    Strong "strong" FORMATTING BREAKS_OUT;
    Style "style" SPECIAL RAW HEAD_CONTENT;
    Sub "sub" BREAKS_OUT;
    Summary "summary" SPECIAL;
    Sup "sup" BREAKS_OUT;
    Svg "svg";
    Table "table" SPECIAL SCOPE TABLE_SCOPE FOSTERS BREAKS_OUT;
    Tbody "tbody" SPECIAL HOLDS_ROWS FOSTERS IMPLIED_BY_TEMPLATE;
    Td "td" SPECIAL SCOPE CELL IMPLIED_BY_TEMPLATE;
    Template "template" SPECIAL SCOPE TABLE_SCOPE HOLDS_ROWS HOLDS_CELLS TEMPLATE HEAD_CONTENT;
    Textarea "textarea" SPECIAL RAW;
    Tfoot "tfoot" SPECIAL HOLDS_ROWS FOSTERS IMPLIED_BY_TEMPLATE;
    Th "th" SPECIAL SCOPE CELL IMPLIED_BY_TEMPLATE;
    Thead "thead" SPECIAL HOLDS_ROWS FOSTERS IMPLIED_BY_TEMPLATE;
    Title "title" SPECIAL RAW HEAD_CONTENT;
    Tr "tr" SPECIAL HOLDS_CELLS FOSTERS IMPLIED_BY_TEMPLATE;
    Track "track" SPECIAL VOID;
    Tt "tt" FORMATTING BREAKS_OUT;
    U "u" FORMATTING BREAKS_OUT;
    Ul "ul" SPECIAL LIST_SCOPE BREAKS_OUT;
    Var "var" BREAKS_OUT;
    Wbr "wbr" SPECIAL VOID;
    Xmp "xmp" SPECIAL RAW;
}
