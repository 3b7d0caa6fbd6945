//! Runs, words, tabs, sizes, fonts and styles.

use waraq_docx::build::{DocumentBuilder, paragraph, run};

use super::{Bomb, letters, many, nested, simple};

pub const BOMBS: &[Bomb] = &[
    ("runs", 150_000, |n| simple(&format!("<w:p>{}</w:p>", many(n, |i| run(&(letters(3, i) + " ")))))),
    ("formatted-runs", 50_000, |n| {
        simple(&format!(
            "<w:p>{}</w:p>",
            many(n, |i| {
                format!(
                    "<w:r><w:rPr><w:sz w:val=\"{}\"/><w:spacing w:val=\"{}\"/></w:rPr><w:t xml:space=\"preserve\">{} </w:t></w:r>",
                    i % 90 + 2,
                    i % 71,
                    letters(3, i)
                )
            })
        ))
    }),
    ("paragraphs", 100_000, |n| simple(&many(n, |i| paragraph(&letters(5, i))))),
    ("empty-paragraphs", 300_000, |n| simple(&"<w:p/>".repeat(n))),
    ("word", 500_000, |n| simple(&paragraph(&letters(n, 1)))),
    ("arabic-word", 100_000, |n| simple(&paragraph(&"ش".repeat(n)))),
    ("marks", 100_000, |n| simple(&paragraph(&format!("a{}", "\u{301}".repeat(n))))),
    ("brackets", 200_000, |n| simple(&paragraph(&"(א".repeat(n)))),
    ("embeddings", 100_000, |n| simple(&paragraph(&format!("{}x", "\u{202b}a".repeat(n))))),
    ("spaces", 500_000, |n| simple(&paragraph(&" ".repeat(n)))),
    ("soft-hyphens", 300_000, |n| simple(&paragraph(&"\u{ad}".repeat(n)))),
    ("tabs", 20_000, |n| {
        let stops = many(250, |i| format!("<w:tab w:val=\"decimal\" w:pos=\"{}\" w:leader=\"dot\"/>", i * 40));
        simple(&format!(
            "<w:p><w:pPr><w:tabs>{stops}</w:tabs></w:pPr><w:r>{}</w:r></w:p>",
            "<w:tab/><w:t>x</w:t>".repeat(n)
        ))
    }),
    ("line-breaks", 200_000, |n| simple(&format!("<w:p><w:r>{}</w:r></w:p>", "<w:br/>".repeat(n)))),
    ("characters-without-font", 60_000, |n| {
        let character = |i: usize| char::from_u32(0x2_0000 + i as u32).unwrap_or('x').to_string();
        simple(&paragraph(&many(n.min(42_000), character)))
    }),
    ("font-names", 40_000, |n| {
        let named =
            |i: usize| format!("<w:r><w:rPr><w:rFonts w:ascii=\"{}\"/></w:rPr><w:t>a</w:t></w:r>", letters(8, i));
        simple(&format!("<w:p>{}</w:p>", many(n, named)))
    }),
    ("languages", 40_000, |n| {
        let run = |i: usize| format!("<w:r><w:rPr><w:lang w:val=\"{}\"/></w:rPr><w:t>a</w:t></w:r>", letters(8, i));
        simple(&format!("<w:p>{}</w:p>", many(n, run)))
    }),
    ("style-chain", 20_000, |n| {
        let style = |i: usize| {
            format!(
                "<w:style w:type=\"paragraph\" w:styleId=\"s{i}\"><w:basedOn w:val=\"s{}\"/><w:pPr><w:ind w:left=\"{i}\"/></w:pPr></w:style>",
                i + 1
            )
        };
        let mut document =
            DocumentBuilder::new(&many(n, |i| format!("<w:p><w:pPr><w:pStyle w:val=\"s{i}\"/></w:pPr></w:p>")));
        document.add_related_part("styles", "styles", "styles.xml", &many(n, style));
        document.to_bytes()
    }),
    ("style-circle", 0, |_| {
        let style = |a, b| {
            format!(
                "<w:style w:type=\"paragraph\" w:styleId=\"{a}\"><w:basedOn w:val=\"{b}\"/><w:link w:val=\"{b}\"/></w:style>"
            )
        };
        let mut document = DocumentBuilder::new("<w:p><w:pPr><w:pStyle w:val=\"a\"/></w:pPr></w:p>");
        document.add_related_part(
            "styles",
            "styles",
            "styles.xml",
            &(style("a", "b") + &style("b", "a") + &style("c", "c")),
        );
        document.to_bytes()
    }),
    ("numbers", 0, |_| {
        let numbers = ["1000000000", "-1000000000", "2147483647", "-2147483648", "99999999999999999999", "1e30", "NaN"];
        simple(&numbers.map(|n| {
            format!(
                "<w:p><w:pPr><w:spacing w:before=\"{n}\" w:after=\"{n}\" w:line=\"{n}\"/><w:ind w:left=\"{n}\" w:right=\"{n}\" w:firstLine=\"{n}\"/>\
                 <w:tabs><w:tab w:val=\"right\" w:pos=\"{n}\"/></w:tabs><w:framePr w:w=\"{n}\" w:h=\"{n}\" w:x=\"{n}\" w:y=\"{n}\"/></w:pPr>\
                 <w:r><w:rPr><w:sz w:val=\"{n}\"/><w:spacing w:val=\"{n}\"/><w:w w:val=\"{n}\"/><w:position w:val=\"{n}\"/><w:kern w:val=\"{n}\"/></w:rPr><w:t>a</w:t><w:tab/></w:r></w:p>"
            )
        }).concat())
    }),
    ("page-number-in-a-long-paragraph", 200_000, |n| {
        simple(&format!("<w:p>{}{}</w:p>", super::field("PAGE", "1"), run(&many(n, |i| letters(4, i) + " "))))
    }),
    ("large-letters", 20_000, |n| {
        simple(&format!("<w:p><w:r><w:rPr><w:sz w:val=\"3276\"/></w:rPr><w:t>{}</w:t></w:r></w:p>", letters(n, 1)))
    }),
    ("tiny-lines", 100_000, |n| {
        let tiny = "<w:p><w:pPr><w:keepNext/><w:keepLines/><w:spacing w:line=\"1\" w:lineRule=\"exact\"/></w:pPr><w:r><w:t>a</w:t></w:r></w:p>";
        simple(&tiny.repeat(n))
    }),
    ("bordered-paragraphs", 50_000, |n| {
        simple(&many(n, |i| {
            format!(
                "<w:p><w:pPr><w:pBdr><w:top w:val=\"single\" w:sz=\"{}\"/><w:between w:val=\"double\" w:sz=\"4\"/></w:pBdr></w:pPr><w:r><w:t>a</w:t></w:r></w:p>",
                i % 30
            )
        }))
    }),
    ("open-tags", 0, |_| simple(&nested(250, "<w:ins>", "<w:r><w:t>a</w:t></w:r>", "</w:ins>"))),
    ("drop-caps", 20_000, |n| {
        simple(&"<w:p><w:pPr><w:framePr w:dropCap=\"drop\" w:lines=\"3\" w:wrap=\"around\"/></w:pPr><w:r><w:t>A</w:t></w:r></w:p>".repeat(n))
    }),
    ("math", 20_000, |n| {
        simple(&format!(
            "<w:p><m:oMath>{}</m:oMath></w:p>",
            "<m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f>".repeat(n)
        ))
    }),
    ("math-matrix", 200, |n| {
        let row = format!("<m:mr>{}</m:mr>", "<m:e><m:r><m:t>a</m:t></m:r></m:e>".repeat(n));
        simple(&format!("<w:p><m:oMath><m:m>{}</m:m></m:oMath></w:p>", row.repeat(100)))
    }),
    ("math-nested", 40, |n| {
        let deep = nested(
            n,
            "<m:f><m:num>",
            "<m:r><m:t>a</m:t></m:r>",
            "</m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f>",
        );
        simple(&format!("<w:p><m:oMath>{deep}</m:oMath></w:p>"))
    }),
    ("math-delimiters", 50, |n| {
        simple(&format!(
            "<w:p><m:oMath>{}</m:oMath></w:p>",
            nested(n, "<m:d><m:e>", "<m:r><m:t>a</m:t></m:r>", "</m:e></m:d>")
        ))
    }),
];
