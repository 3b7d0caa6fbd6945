//! Tests of the document model.

mod word;

use waraq_docx::{Package, inspect};
use word::*;

#[test]
fn inspect_returns_parts_sections_settings_comments_and_links() {
    let word = Word::new(&format!(
        "{}<w:sectPr><w:headerReference w:type=\"first\" r:id=\"h1\"/><w:titlePg/><w:pgSz w:w=\"16838\" w:h=\"11906\" w:orient=\"landscape\"/>\
         <w:pgBorders><w:top w:val=\"single\" w:sz=\"8\" w:color=\"FF0000\"/></w:pgBorders><w:pgNumType w:fmt=\"lowerRoman\" w:start=\"3\"/></w:sectPr>",
        p("text")
    ))
    .header("h1", &p("head"))
    .settings("<w:defaultTabStop w:val=\"708\"/><w:autoHyphenation/>")
    .comments(
        "<w:comment w:id=\"1\" w:author=\"A\"><w:p w14:paraId=\"11\"><w:r><w:t>first</w:t></w:r></w:p></w:comment>\
         <w:comment w:id=\"2\" w:author=\"B\"><w:p w14:paraId=\"22\"><w:r><w:t>answer</w:t></w:r></w:p></w:comment>",
    )
    .part(
        "commentsExtended",
        "commentsExtended.xml",
        format!("<w15:commentsEx {NAMESPACES}><w15:commentEx w15:paraId=\"22\" w15:paraIdParent=\"11\" w15:done=\"1\"/></w15:commentsEx>").as_bytes(),
    )
    .link("web", "https://a.example");
    let model = inspect(&Package::open(&word.bytes()).unwrap()).unwrap();
    let json = serde_json::to_value(&model).unwrap();
    assert_eq!(json["core"]["title"], "The title");
    assert!(json["parts"].as_array().unwrap().contains(&"word/h1.xml".into()));
    let section = &json["sections"][0];
    assert_eq!((&section["landscape"], &section["titlePage"]), (&true.into(), &true.into()));
    assert_eq!(section["headerFooterReferences"][0]["target"], "word/h1.xml");
    assert_eq!((&section["pageBorders"]["top"]["color"], &section["pageNumberStart"]), (&"#ff0000".into(), &3.into()));
    assert_eq!(
        (json["settings"]["defaultTabStop"].as_f64(), &json["settings"]["autoHyphenation"]),
        (Some(35.4f32 as f64), &true.into())
    );
    assert_eq!(
        (&json["comments"][1]["content"], &json["comments"][1]["parent"], &json["comments"][1]["done"]),
        (&"answer".into(), &"1".into(), &true.into())
    );
    let links = json["relationships"]["word/document.xml"].as_array().unwrap();
    assert!(links.iter().any(|link| link["type"] == "hyperlink" && link["targetMode"] == "External"));
}
