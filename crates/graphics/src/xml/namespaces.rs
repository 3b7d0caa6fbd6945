//! The XML namespaces of a Word document. The Transitional and the Strict URI of a namespace are equivalent here
//! (ECMA-376 part 4).

/// A known namespace. Each variant is used for the Transitional and the Strict URI of its namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ns {
    /// The namespace of attributes without a prefix, and of elements without a prefix if no default namespace is
    /// declared.
    None,
    /// The namespace of WordprocessingML (usual prefix `w`).
    W,
    /// The namespace of attributes that contain relationship ids, such as r:id.
    R,
    /// The main namespace of DrawingML (usual prefix `a`).
    A,
    /// The DrawingML namespace for drawings in a Word document, such as wp:inline and wp:anchor.
    Wp,
    /// The namespace of the extensions of [`Ns::Wp`] in Word 2010, such as relative sizes.
    Wp14,
    /// The namespace of DrawingML charts.
    Chart,
    /// The namespace of DrawingML diagrams (SmartArt).
    Diagram,
    /// The namespace of the stored drawing of a SmartArt diagram.
    DiagramDrawing,
    /// The namespace of the SVG version of a picture (asvg:svgBlip).
    Svg,
    /// The namespace of the extensions of WordprocessingML in Word 2010, such as w14:ligatures and w14:paraId.
    W14,
    /// The namespace of the extensions of WordprocessingML in Word 2013, such as w15:commentEx.
    W15,
    /// The namespace of Office Math.
    M,
    /// The namespace of Vector Markup Language (`urn:schemas-microsoft-com:vml`).
    V,
    /// The namespace of the VML extensions for all Office programs, such as o:hr.
    Office,
    /// The namespace of the VML extensions for Word, such as w10:wrap.
    W10,
    /// The namespace of markup compatibility, such as mc:AlternateContent.
    Mc,
    /// The namespace of the core properties of a package.
    CoreProperties,
    /// The namespace of the Dublin Core elements in the core properties, such as dc:title.
    DublinCore,
    /// The namespace of the Dublin Core terms in the core properties, such as dcterms:created.
    DublinCoreTerms,
    /// The namespace of the properties in `docProps/app.xml`.
    ExtendedProperties,
    /// The namespace of the properties in `docProps/custom.xml`.
    CustomProperties,
    /// The namespace of the typed values of custom properties, such as vt:lpwstr.
    VariantTypes,
    /// The namespace of the prefix `xml`, as in `xml:space` and `xml:lang`.
    Xml,
    /// A known namespace that an `mc:Choice` may require. The elements of this namespace are read by their local names
    /// or are ignored.
    Ignored,
    /// Any other namespace.
    Other,
}

/// Returns the namespace of a URI.
pub fn namespace_of_uri(uri: &str) -> Ns {
    let of_the_standard = uri.strip_prefix("http://schemas.openxmlformats.org/");
    if let Some(rest) = of_the_standard.or_else(|| uri.strip_prefix("http://purl.oclc.org/ooxml/")) {
        return standard_namespace(rest);
    }
    if let Some(rest) = uri.strip_prefix("http://schemas.microsoft.com/office/") {
        return microsoft_namespace(rest);
    }
    match uri {
        "urn:schemas-microsoft-com:vml" => Ns::V,
        "urn:schemas-microsoft-com:office:office" => Ns::Office,
        "urn:schemas-microsoft-com:office:word" => Ns::W10,
        "http://purl.org/dc/elements/1.1/" => Ns::DublinCore,
        "http://purl.org/dc/terms/" => Ns::DublinCoreTerms,
        "http://www.w3.org/XML/1998/namespace" => Ns::Xml,
        "" => Ns::None,
        _ => Ns::Other,
    }
}

/// Returns the namespace of a URI of ECMA-376. `rest` is the URI without `http://schemas.openxmlformats.org/`
/// (Transitional) or `http://purl.oclc.org/ooxml/` (Strict). Transitional URIs contain a year, Strict ones do not.
fn standard_namespace(rest: &str) -> Ns {
    match rest {
        "wordprocessingml/2006/main" | "wordprocessingml/main" => Ns::W,
        "officeDocument/2006/relationships" | "officeDocument/relationships" => Ns::R,
        "officeDocument/2006/math" | "officeDocument/math" => Ns::M,
        "officeDocument/2006/extended-properties" | "officeDocument/extendedProperties" => Ns::ExtendedProperties,
        "officeDocument/2006/custom-properties" | "officeDocument/customProperties" => Ns::CustomProperties,
        "officeDocument/2006/docPropsVTypes" | "officeDocument/docPropsVTypes" => Ns::VariantTypes,
        "drawingml/2006/main" | "drawingml/main" => Ns::A,
        "drawingml/2006/wordprocessingDrawing" | "drawingml/wordprocessingDrawing" => Ns::Wp,
        "drawingml/2006/chart" | "drawingml/chart" => Ns::Chart,
        "drawingml/2006/diagram" | "drawingml/diagram" => Ns::Diagram,
        "drawingml/2006/picture" | "drawingml/picture" => Ns::Ignored,
        "drawingml/2006/lockedCanvas" | "drawingml/lockedCanvas" => Ns::Ignored,
        "markup-compatibility/2006" => Ns::Mc,
        "package/2006/metadata/core-properties" => Ns::CoreProperties,
        _ => Ns::Other,
    }
}

/// Returns the namespace of a URI of Microsoft. `rest` is the URI without `http://schemas.microsoft.com/office/`.
fn microsoft_namespace(rest: &str) -> Ns {
    match rest {
        "word/2010/wordml" => Ns::W14,
        "word/2012/wordml" => Ns::W15,
        "word/2010/wordprocessingDrawing" => Ns::Wp14,
        "word/2010/wordprocessingShape" | "word/2010/wordprocessingGroup" | "word/2010/wordprocessingCanvas" => {
            Ns::Ignored
        }
        "drawing/2008/diagram" => Ns::DiagramDrawing,
        "drawing/2016/SVG/main" => Ns::Svg,
        "drawing/2010/main" | "drawing/2012/main" | "drawing/2007/8/2/chart" => Ns::Ignored,
        _ => Ns::Other,
    }
}
