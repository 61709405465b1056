//! How names are spelled in SVG and MathML, where case matters (13.2.6.1, "adjust SVG attributes" and the like).

use crate::tree::{Name, Namespace};
use std::borrow::Cow;

/// The name of a foreign element that was written in any case.
pub(super) fn element(namespace: Namespace, local: &str) -> Name {
    let spelled = match namespace {
        Namespace::Svg => find(&SVG_ELEMENTS, local),
        _ => None,
    };
    let local = spelled.map_or_else(|| Cow::Owned(local.to_owned()), Cow::Borrowed);
    Name { namespace, local }
}

/// The name of an attribute of a foreign element, if it has another than in HTML.
pub(super) fn attribute(inside: Namespace, local: &str) -> Option<Name> {
    let spelled = match inside {
        Namespace::Svg => find(&SVG_ATTRIBUTES, local),
        Namespace::MathMl => find(&["definitionURL"], local),
        _ => None,
    };
    match spelled {
        Some(spelled) => Some(Name { namespace: Namespace::None, local: Cow::Borrowed(spelled) }),
        None => qualified(local),
    }
}

/// Attributes with a prefix that means a namespace.
fn qualified(local: &str) -> Option<Name> {
    let (namespace, local) = match local.split_once(':') {
        None if local == "xmlns" => (Namespace::XmlNs, local),
        Some(("xmlns", "xlink")) => (Namespace::XmlNs, "xlink"),
        Some(("xml", local @ ("lang" | "space"))) => (Namespace::Xml, local),
        Some((
            "xlink",
            local @ ("actuate" | "arcrole" | "href" | "role" | "show" | "title" | "type"),
        )) => (Namespace::XLink, local),
        _ => return None,
    };
    Some(Name { namespace, local: Cow::Owned(local.to_owned()) })
}

fn find(spelled: &[&'static str], local: &str) -> Option<&'static str> {
    spelled.iter().find(|spelled| spelled.eq_ignore_ascii_case(local)).copied()
}

#[rustfmt::skip]
static SVG_ELEMENTS: [&str; 37] = [
    "altGlyph", "altGlyphDef", "altGlyphItem", "animateColor", "animateMotion", "animateTransform",
    "clipPath", "feBlend", "feColorMatrix", "feComponentTransfer", "feComposite",
    "feConvolveMatrix", "feDiffuseLighting", "feDisplacementMap", "feDistantLight", "feDropShadow",
    "feFlood", "feFuncA", "feFuncB", "feFuncG", "feFuncR", "feGaussianBlur", "feImage", "feMerge",
    "feMergeNode", "feMorphology", "feOffset", "fePointLight", "feSpecularLighting", "feSpotLight",
    "feTile", "feTurbulence", "foreignObject", "glyphRef", "linearGradient", "radialGradient",
    "textPath",
];

#[rustfmt::skip]
static SVG_ATTRIBUTES: [&str; 58] = [
    "attributeName", "attributeType", "baseFrequency", "baseProfile", "calcMode", "clipPathUnits",
    "diffuseConstant", "edgeMode", "filterUnits", "glyphRef", "gradientTransform", "gradientUnits",
    "kernelMatrix", "kernelUnitLength", "keyPoints", "keySplines", "keyTimes", "lengthAdjust",
    "limitingConeAngle", "markerHeight", "markerUnits", "markerWidth", "maskContentUnits",
    "maskUnits", "numOctaves", "pathLength", "patternContentUnits", "patternTransform",
    "patternUnits", "pointsAtX", "pointsAtY", "pointsAtZ", "preserveAlpha", "preserveAspectRatio",
    "primitiveUnits", "refX", "refY", "repeatCount", "repeatDur", "requiredExtensions",
    "requiredFeatures", "specularConstant", "specularExponent", "spreadMethod", "startOffset",
    "stdDeviation", "stitchTiles", "surfaceScale", "systemLanguage", "tableValues", "targetX",
    "targetY", "textLength", "viewBox", "viewTarget", "xChannelSelector", "yChannelSelector",
    "zoomAndPan",
];
