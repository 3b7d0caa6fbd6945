//! Writes the labelled forms of `cargo xtask bench detect` as Word files. Usage:
//! `cargo run -p waraq-docx --example forms -- OUT_DIR SOURCE.txt …`
//!
//! For each source, the program writes a `.docx` and a `.tsv` with a line for each label: paragraph (from 1), start and end
//! in the characters of the paragraph, and the accepted names.
//!
//! Each line of a source is a paragraph. `# ` and `## ` start headings, and consecutive lines `| cell | cell |` are a table.
//! A label is `⟦blank⟧{accepted name; accepted name}`. A letter and `|` before the text select the form:
//!
//! | letter | form | | letter | form |
//! |---|---|---|---|---|
//! | (none) | text | | `d` | date picker |
//! | `h` | highlighted text | | `l` | drop-down list `prompt/choice/choice` |
//! | `u` | underlined text | | `k` | content control with a check box |
//! | `t` | tab drawn as a line | | `f` | form field for text |
//! | `e` | empty cell | | `x` | form field with a check box |
//! | `c` | content control for text | | `m` | merge field |
//!
//! `⟪b|text⟫` is bold text, and `⟪c|⟫` is an empty cell that is not a blank.

use std::fmt::Write as _;
use std::path::PathBuf;

use waraq_docx::build::{DocumentBuilder, run};

const STYLES: &str = "<w:style w:type=\"paragraph\" w:styleId=\"Heading1\"><w:name w:val=\"heading 1\"/><w:pPr><w:outlineLvl w:val=\"0\"/>\
    </w:pPr></w:style><w:style w:type=\"paragraph\" w:styleId=\"Heading2\"><w:name w:val=\"heading 2\"/><w:pPr><w:outlineLvl w:val=\"1\"/>\
    </w:pPr></w:style><w:style w:type=\"character\" w:styleId=\"PlaceholderText\"><w:name w:val=\"Placeholder Text\"/></w:style>";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let out = arguments.next().ok_or("usage: forms OUT_DIR SOURCE.txt …")?;
    std::fs::create_dir_all(&out)?;
    for source in arguments {
        let mut form = Form::default();
        let text = std::fs::read_to_string(&source)?;
        form.add_lines(&text).map_err(|mistake| format!("{}: {mistake}", source.display()))?;
        let mut document = DocumentBuilder::new(&form.body);
        document.add_related_part("styles", "styles", "styles.xml", STYLES);
        let target = out.join(source.file_name().ok_or("a source is a file")?);
        std::fs::write(target.with_extension("docx"), document.to_bytes())?;
        std::fs::write(target.with_extension("tsv"), form.labels)?;
    }
    Ok(())
}

/// A form under construction.
#[derive(Default)]
struct Form {
    body: String,
    labels: String,
    /// The number of paragraphs so far.
    paragraphs: usize,
}

impl Form {
    fn add_lines(&mut self, text: &str) -> Result<(), String> {
        let mut in_table = false;
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let is_row = line.starts_with('|');
            if is_row != in_table {
                self.body.push_str(if is_row { "<w:tbl><w:tblPr/><w:tblGrid/>" } else { "</w:tbl>" });
                in_table = is_row;
            }
            if is_row {
                self.add_row(line)?;
            } else {
                self.add_paragraph(line)?;
            }
        }
        if in_table {
            // Word requires a paragraph after a table.
            self.body.push_str("</w:tbl><w:p/>");
        }
        Ok(())
    }

    fn add_row(&mut self, line: &str) -> Result<(), String> {
        let inside = line.trim().strip_prefix('|').and_then(|rest| rest.strip_suffix('|'));
        let inside = inside.ok_or_else(|| format!("a row ends with `|`: {line}"))?;
        self.body.push_str("<w:tr>");
        let (mut depth, mut start) = (0, 0);
        let ends = inside.char_indices().chain([(inside.len(), '|')]);
        for (at, character) in ends {
            match character {
                '⟦' | '⟪' => depth += 1,
                '⟧' | '⟫' => depth -= 1,
                '|' if depth == 0 => {
                    self.body.push_str("<w:tc><w:tcPr/>");
                    self.add_paragraph(inside.get(start..at).unwrap_or_default().trim())?;
                    self.body.push_str("</w:tc>");
                    start = at + 1;
                }
                _ => {}
            }
        }
        self.body.push_str("</w:tr>");
        Ok(())
    }

    fn add_paragraph(&mut self, line: &str) -> Result<(), String> {
        self.paragraphs += 1;
        let (style, mut rest) = match (line.strip_prefix("# "), line.strip_prefix("## ")) {
            (Some(rest), _) => ("<w:pStyle w:val=\"Heading1\"/>", rest),
            (_, Some(rest)) => ("<w:pStyle w:val=\"Heading2\"/>", rest),
            _ => ("", line),
        };
        let (mut runs, mut length, mut has_leader) = (String::new(), 0, false);
        while let Some(open) = rest.find(['⟦', '⟪']) {
            let (before, marked) = rest.split_at(open);
            length += before.chars().count();
            runs.push_str(&plain(before));
            let is_label = marked.starts_with('⟦');
            let close = if is_label { '⟧' } else { '⟫' };
            let inside = marked.get('⟦'.len_utf8()..).unwrap_or_default();
            let (content, after) = inside.split_once(close).ok_or_else(|| format!("no {close} in: {line}"))?;
            let (form, text) = match content.split_once('|') {
                Some((form, text)) => (form, text),
                None => ("", content),
            };
            let (markup, shown) = marked_run(form, text).ok_or_else(|| format!("no form {form:?}: {line}"))?;
            has_leader |= form == "t";
            runs.push_str(&markup);
            let start = length;
            length += shown;
            rest = after;
            if is_label {
                let names = after.strip_prefix('{').and_then(|names| names.split_once('}'));
                let (names, after) = names.ok_or_else(|| format!("a label without names: {line}"))?;
                rest = after;
                let _ = writeln!(self.labels, "{}\t{start}\t{length}\t{names}", self.paragraphs);
            }
        }
        runs.push_str(&plain(rest));
        let tabs = "<w:tabs><w:tab w:val=\"right\" w:leader=\"underscore\" w:pos=\"9000\"/></w:tabs>";
        let tabs = if has_leader { tabs } else { "" };
        let _ = write!(self.body, "<w:p><w:pPr>{style}{tabs}</w:pPr>{runs}</w:p>");
        Ok(())
    }
}

/// Returns the runs of a text without formatting. Tabs become `w:tab`.
fn plain(text: &str) -> String {
    let pieces: Vec<String> =
        text.split('\t').map(|piece| if piece.is_empty() { String::new() } else { run(piece) }).collect();
    pieces.join("<w:r><w:tab/></w:r>")
}

fn styled(properties: &str, text: &str) -> String {
    run(text).replacen("<w:r>", &format!("<w:r><w:rPr>{properties}</w:rPr>"), 1)
}

/// Returns the markup of a marked text, and the number of its characters in the paragraph.
fn marked_run(form: &str, text: &str) -> Option<(String, usize)> {
    let length = text.chars().count();
    let control = |properties: &str, shown: &str| {
        let prompt = styled("<w:rStyle w:val=\"PlaceholderText\"/>", shown);
        let control = format!(
            "<w:sdt><w:sdtPr><w:showingPlcHdr/>{properties}</w:sdtPr><w:sdtContent>{prompt}</w:sdtContent></w:sdt>"
        );
        (control, shown.chars().count())
    };
    let field = |data: &str, code: &str, shown: &str| {
        let character =
            |kind: &str, data: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\">{data}</w:fldChar></w:r>");
        let code = format!("<w:r><w:instrText xml:space=\"preserve\"> {code} </w:instrText></w:r>");
        let result = if shown.is_empty() { String::new() } else { run(shown) };
        let begin = character("begin", data) + &code + &character("separate", "");
        (begin + &result + &character("end", ""), shown.chars().count())
    };
    let five_spaces = "\u{2002}".repeat(5);
    Some(match form {
        "" => (plain(text), length),
        "b" => (styled("<w:b/>", text), length),
        "h" => (styled("<w:highlight w:val=\"yellow\"/>", text), length),
        "u" => (styled("<w:u w:val=\"single\"/>", text), length),
        "t" => ("<w:r><w:tab/></w:r>".to_owned(), 1),
        "e" => (String::new(), 0),
        "c" if text.is_empty() => (String::new(), 0),
        "c" => control("<w:text/>", text),
        "d" => control("<w:date><w:dateFormat w:val=\"d MMMM yyyy\"/></w:date>", text),
        "l" => {
            let (prompt, choices) = text.split_once('/')?;
            let items = choices
                .split('/')
                .map(|choice| format!("<w:listItem w:displayText=\"{choice}\" w:value=\"{choice}\"/>"));
            control(&format!("<w:dropDownList>{}</w:dropDownList>", items.collect::<String>()), prompt)
        }
        "k" => {
            let properties = "<w14:checkbox><w14:checked w14:val=\"0\"/></w14:checkbox>";
            let content = format!("<w:sdtContent>{}</w:sdtContent>", run("☐"));
            (format!("<w:sdt><w:sdtPr>{properties}</w:sdtPr>{content}</w:sdt>"), 1)
        }
        "f" => {
            field("<w:ffData><w:name w:val=\"Text1\"/><w:enabled/><w:textInput/></w:ffData>", "FORMTEXT", &five_spaces)
        }
        "x" => {
            let data =
                "<w:ffData><w:name w:val=\"Check1\"/><w:enabled/><w:checkBox><w:sizeAuto/></w:checkBox></w:ffData>";
            field(data, "FORMCHECKBOX", "")
        }
        "m" => field("", &format!("MERGEFIELD {text}"), &format!("«{text}»")),
        _ => return None,
    })
}
