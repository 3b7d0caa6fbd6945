//! Small documents, one for each feature of Word, laid out by the engine and compared with a reviewed picture.
//!
//! A case is an `.xml` file of readable WordprocessingML ([`case`]) with a `.png` of its expected pages. If the
//! pictures differ, the test fails. It then writes the actual pages, the expected pages and their difference to
//! `pictures` in the target directory (or to WARAQ_PICTURES_FOLDER).
//!
//! ```sh
//! cargo test -p waraq-engine --test pictures                            # all
//! cargo test -p waraq-engine --test pictures tables::                   # those of a group
//! WARAQ_PICTURES=keep cargo test -p waraq-engine --test pictures tables::nested    # look at the picture, then commit it
//! WARAQ_PICTURES=show cargo test -p waraq-engine --test pictures        # every case as .docx and .png, to compare with Word
//! ```
//!
//! Each first picture was compared with LibreOffice's page of the same file. If LibreOffice is known to differ from
//! Word, the picture follows Word, and the first lines of the case say so.

mod case;
mod compare;
mod metafile;
mod sheet;

use std::path::{Path, PathBuf};

use case::Case;
use sheet::Sheet;
use waraq_engine::LayoutOptions;

/// Maximum size in bytes of all expected pictures together, because every clone of the repository contains them.
const MAX_TOTAL_BYTES: u64 = 800_000;

/// Declares groups of cases. `open` marks a case that is not yet laid out as in Word; the text after it is the reason.
macro_rules! cases {
    ($($group:ident { $($name:ident $(open $reason:literal)?),* $(,)? })*) => {
        $(mod $group {
            $(#[test] $(#[ignore = $reason])? fn $name() {
                super::check_case(stringify!($group), stringify!($name));
            })*
        })*
        /// Group, name, and `true` if the case is open.
        const CASES: &[(&str, &str, bool)] = &[$($((
            stringify!($group), stringify!($name), cases!(@open $($reason)?)
        )),*),*];
    };
    (@open) => { false };
    (@open $reason:literal) => { true };
}

cases! {
    text {
        all_run_properties,
        run_properties,
        capitals, positions,
        underlines,
        grounds,
        spacing,
        symbols, theme, fonts,
        tabs,
        tabs_right_to_left,
        drop_caps,
        frames,
        line_numbers,
        arabic,
        bidi open "neutral characters of left-to-right runs",
        justification,
        digits,
        hyphenation,
        ruby,
    }
    paragraphs {
        line_rules, spacing,
        borders,
        shading_and_indents, keeping, widows, page_breaks,
    }
    numbering {
        levels, overrides, formats,
        bullets,
    }
    tables {
        auto_fit, fixed, spans, border_conflicts,
        cells,
        across_pages,
        nested,
        floating, right_to_left, conditional,
    }
    drawings {
        formats, photographs,
        turned, presets, word_art, pictures_in_shapes, vml_paths,
        wraps,
        places,
        shapes, line_heads,
        text_boxes, linked_boxes,
        vml, groups,
        metafiles,
        charts,
    }
    pages {
        sections,
        columns, headers, borders,
        vertical_alignment,
        numbers, margins,
    }
    math { structures }
    notes {
        footnotes,
        endnotes, numbers,
    }
    fields {
        values,
        contents,
    }
    review {
        comments,
        changes_accepted,
        changes_shown,
        alternative_chunks,
    }
}

fn cases_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures")
}

/// Returns the path of a file for inspection that is not committed.
fn output_path(group: &str, name: &str, kind: &str) -> PathBuf {
    let elsewhere = std::env::var_os("WARAQ_PICTURES_FOLDER").map(PathBuf::from);
    let folder = elsewhere.unwrap_or_else(|| Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictures"));
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(format!("{group}-{name}{kind}"))
}

/// Lays out a case and compares it with its expected picture.
fn check_case(group: &str, name: &str) {
    let xml = std::fs::read_to_string(cases_folder().join(group).join(format!("{name}.xml"))).unwrap();
    let case = Case::parse(&xml);
    let docx = case.to_docx();
    let package = waraq_engine::open(&docx).unwrap();
    // 2026-03-05, 14:07:09 UTC
    let setting = LayoutOptions {
        now: 1_772_719_629,
        show_comments: case.comments,
        show_changes: case.comments,
        ..LayoutOptions::default()
    };
    let pages = waraq_engine::lay_out(&package, &setting).unwrap();
    let sheet = Sheet::new(&pages);

    let kept = cases_folder().join(group).join(format!("{name}.png"));
    match std::env::var("WARAQ_PICTURES").as_deref() {
        Ok("show") => {
            std::fs::write(output_path(group, name, ".docx"), &docx).unwrap();
            std::fs::write(output_path(group, name, ".png"), sheet.to_png()).unwrap();
        }
        Ok("keep") => std::fs::write(kept, sheet.to_png()).unwrap(),
        _ => {
            let expected = std::fs::read(&kept).unwrap_or_else(|error| {
                panic!("{}: {error}; look at the picture, then keep it: WARAQ_PICTURES=keep", kept.display())
            });
            if let Some(difference) = compare::difference(&Sheet::from_png(&expected), &sheet) {
                let actual = output_path(group, name, ".actual.png");
                let beside = output_path(group, name, ".difference.png");
                std::fs::write(output_path(group, name, ".docx"), &docx).unwrap();
                std::fs::write(&actual, sheet.to_png()).unwrap();
                std::fs::write(&beside, difference.sheet.to_png()).unwrap();
                panic!(
                    "{group}/{name}: {}\n  kept    {}\n  actual  {}\n  kept, actual and where they differ  {}\n  If this is \
                     meant: WARAQ_PICTURES=keep cargo test -p waraq-engine --test pictures {group}::{name}",
                    difference.description,
                    kept.display(),
                    actual.display(),
                    beside.display()
                );
            }
        }
    }
}

#[test]
fn every_file_belongs_to_a_case_and_open_cases_have_no_picture() {
    let mut bytes = 0;
    for group in
        std::fs::read_dir(cases_folder()).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir())
    {
        for file in std::fs::read_dir(&group).unwrap().map(|entry| entry.unwrap().path()) {
            let (group, name) = (group.file_name().unwrap(), file.file_stem().unwrap());
            let known = CASES.iter().find(|(g, n, _)| group == *g && name == *n);
            let (_, _, open) = known.unwrap_or_else(|| panic!("{} belongs to no case", file.display()));
            if file.extension().is_some_and(|extension| extension == "png") {
                assert!(!open, "{} belongs to an open case, which must have no picture", file.display());
                bytes += file.metadata().unwrap().len();
            }
        }
    }
    assert!(bytes <= MAX_TOTAL_BYTES, "the kept pictures take {bytes} bytes");
}
