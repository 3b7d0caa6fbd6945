//! Tests of the element tree.

use super::*;
use crate::Budget;

const W: &str = "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" \
    xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\" \
    xmlns:w14=\"http://schemas.microsoft.com/office/word/2010/wordml\" xmlns:zz=\"urn:unknown\"";

#[test]
fn elements_attributes_and_text() {
    let xml = format!(
        "<?xml version=\"1.0\"?><w:a {W} w:val=\"1 &amp; 2\" plain=\"x\"><w:b>a &lt; &#x628;</w:b><w:c/></w:a>"
    );
    let tree = Tree::parse("p", xml.as_bytes(), &Meter::default()).unwrap();
    let root = tree.root().unwrap();
    assert_eq!(root.val(), Some("1 & 2"));
    assert_eq!(root.attr("plain"), Some("x"));
    assert_eq!(root.child(Ns::W, "b").unwrap().text(), "a < ب");
    assert_eq!(root.children().map(Element::name).collect::<Vec<_>>(), ["b", "c"]);
    assert_eq!(root.child(Ns::W, "c").unwrap().source(), "<w:c/>");
}

#[test]
fn strict_and_transitional_namespaces_are_equal() {
    let xml = "<x:a xmlns:x=\"http://purl.oclc.org/ooxml/wordprocessingml/main\" x:val=\"v\"/>";
    let tree = Tree::parse("p", xml.as_bytes(), &Meter::default()).unwrap();
    assert!(tree.root().unwrap().has_name(Ns::W, "a"));
    assert_eq!(tree.root().unwrap().val(), Some("v"));
}

#[test]
fn alternate_content_becomes_its_first_supported_branch() {
    let xml = format!(
        "<w:a {W}><w:x/><mc:AlternateContent><mc:Choice Requires=\"zz\"><w:no/></mc:Choice>\
         <mc:Choice Requires=\"w14\"><w:yes/><w:two/></mc:Choice><mc:Fallback><w:no/></mc:Fallback>\
         </mc:AlternateContent><mc:AlternateContent><mc:Choice Requires=\"zz\"/><mc:Fallback><w:back/></mc:Fallback>\
         </mc:AlternateContent><w:y/></w:a>"
    );
    let tree = Tree::parse("p", xml.as_bytes(), &Meter::default()).unwrap();
    let names: Vec<_> = tree.root().unwrap().children().map(Element::name).collect();
    assert_eq!(names, ["x", "yes", "two", "back", "y"]);
}

#[test]
fn an_error_names_the_malformed_part() {
    for xml in
        ["", "<a>", "<a></b>", "<a/><b/>", "<a x=1/>", "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "<a>&b;</a>"]
    {
        let error = Tree::parse("word/styles.xml", xml.as_bytes(), &Meter::default()).expect_err(xml);
        assert_eq!(error.code.as_str(), "malformed_xml");
        assert!(error.message.contains("word/styles.xml"), "{}", error.message);
    }
    let deep = "<a>".repeat(100_000);
    assert_eq!(Tree::parse("p", deep.as_bytes(), &Meter::default()).expect_err("deep").code, "malformed_xml");
}

#[test]
fn a_part_beyond_the_budget_is_refused_and_releases_its_memory() {
    let xml = "<a>".repeat(100) + &"</a>".repeat(100);
    let mut budget = Budget::default();
    budget.memory = 1_000;
    let meter = Meter::new(&budget);
    assert_eq!(Tree::parse("p", xml.as_bytes(), &meter).expect_err("too much").code, "too_complex");
    assert_eq!(meter.memory(), 0);
    let meter = Meter::new(&Budget::default());
    let tree = Tree::parse("p", xml.as_bytes(), &meter).unwrap();
    assert!(meter.memory() > 0);
    drop(tree);
    assert_eq!(meter.memory(), 0);
}
