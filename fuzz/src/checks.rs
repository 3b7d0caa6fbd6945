//! Properties that hold for every document.

use waraq_docx::{Error, Package};
use waraq_engine::{LayoutOptions, Pages, PdfOptions, StandardClaim};

/// Number of pages allowed in addition to one page per byte of input. With letters as high as a page, the valid parts
/// of a document alone fill this many pages.
const BASE_PAGES: usize = 400;
/// Size of a PDF in bytes allowed in addition to `PDF_BYTES_PER_PAGE` and `PDF_BYTES_PER_INPUT_BYTE` (of the input): the subsets of all
/// built-in fonts.
const BASE_PDF_BYTES: usize = 2 << 20;
const PDF_BYTES_PER_PAGE: usize = 64 << 10;
const PDF_BYTES_PER_INPUT_BYTE: usize = 2_000;

/// Checks that an error has a message.
pub fn assert_has_message(error: &Error) {
    assert!(!error.message.is_empty(), "{error:?}");
}

/// Returns true for one in eight inputs. For these, expensive checks run as well, such as the one for equal output.
pub fn is_sampled(data: &[u8]) -> bool {
    data.iter().fold(0_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(*byte))).is_multiple_of(8)
}

/// Inspects a document, lays it out and writes it as PDF. `input` is the fuzzer's input. Errors must have a code; the
/// number of pages and the size of the PDF must be bounded.
pub fn lay_out(package: &Package, input: &[u8], options: &LayoutOptions) -> Option<Pages> {
    if let Err(error) = package.validate() {
        assert_has_message(&error);
    }
    match waraq_engine::inspect(package) {
        Ok(_) => {}
        Err(error) => assert_has_message(&error),
    }
    let pages = match waraq_engine::lay_out(package, options) {
        Ok(pages) => pages,
        Err(error) => {
            assert_has_message(&error);
            return None;
        }
    };
    assert_bounded(&pages, input.len());
    let pdf = write_pdf(&pages, &PdfOptions::default(), input.len());
    if is_sampled(input) {
        let again =
            waraq_engine::lay_out(package, options).map(|pages| write_pdf(&pages, &PdfOptions::default(), input.len()));
        assert!(again.as_ref() == Ok(&pdf), "the same document gave another PDF");
        write_pdf(
            &pages,
            &PdfOptions {
                tagged: true,
                pdf_ua: StandardClaim::IfPossibleOrWarn,
                pdf_a: StandardClaim::IfPossibleOrWarn,
            },
            input.len(),
        );
        write_pdf(&pages, &PdfOptions::plain(), input.len());
    }
    Some(pages)
}

fn assert_bounded(pages: &Pages, input: usize) {
    assert!(pages.pages.len() <= input + BASE_PAGES, "{} pages of {input} bytes", pages.pages.len());
    for page in &pages.pages {
        assert!(page.width.is_finite() && page.width > 0.0, "a page {} wide", page.width);
        assert!(page.height.is_finite() && page.height > 0.0, "a page {} high", page.height);
    }
    for destination in &pages.destinations {
        assert!(destination.page < pages.pages.len(), "{destination:?} of {} pages", pages.pages.len());
    }
    for entry in &pages.outline {
        assert!(entry.page < pages.pages.len(), "{entry:?} of {} pages", pages.pages.len());
    }
}

fn write_pdf(pages: &Pages, options: &PdfOptions, input: usize) -> Vec<u8> {
    let pdf = waraq_engine::pdf(pages, options).unwrap_or_else(|error| panic!("no PDF: {error}"));
    assert!(pdf.bytes.starts_with(b"%PDF-"));
    let most = BASE_PDF_BYTES + PDF_BYTES_PER_PAGE * pages.pages.len() + PDF_BYTES_PER_INPUT_BYTE * input;
    assert!(pdf.bytes.len() <= most, "{} bytes of PDF from {input}", pdf.bytes.len());
    pdf.bytes
}

/// Checks that the fields of a document can be listed and checked, or that both are refused. The list must be
/// consistent.
pub fn check_fields(package: &Package) {
    match (waraq_engine::fields(package), waraq_engine::check(package)) {
        (Ok(fields), Ok(findings)) => {
            for (at, field) in fields.iter().enumerate() {
                assert!(waraq_docx::fields::is_valid(&field.name), "{field:?}");
                assert!(field.occurrences > 0, "{field:?}");
                assert!(!fields[..at].iter().any(|known| known.name == field.name), "{field:?} twice");
            }
            for finding in findings {
                assert!(!finding.message.is_empty(), "{finding:?}");
            }
        }
        (Err(error), Err(_)) => assert_has_message(&error),
        (list, check) => panic!("list {list:?}, check {check:?}"),
    }
}
