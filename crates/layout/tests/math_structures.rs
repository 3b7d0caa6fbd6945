//! Positions of the parts of every formula structure (ECMA-376 part 1, §22.1.2).

mod book;
mod math_common;
mod text_common;

use math_common::*;
use text_common::assert_near;
use waraq_docx::tree::*;

#[test]
fn the_numerator_is_above_the_bar_and_the_denominator_below() {
    let of = |kind| lay_out_formula(displayed(vec![fraction(kind, row("n"), row("k+m"))]));
    let bar = of(FractionKind::Bar);
    let [rule] = bar.rules[..] else { panic!("one bar: {:?}", bar.rules) };
    let (above, below) = (bar.character("n"), bar.character("k"));
    assert!(above.y < rule.y, "the numerator's baseline is above the bar");
    assert!(below.y > rule.y + rule.height + 0.4 * SIZE, "the denominator is below it");
    assert_near(above.x + above.advance / 2.0, rule.x + rule.width / 2.0, 0.5);
    assert!(rule.x < below.x && rule.x + rule.width > bar.character("m").x + bar.character("m").advance - 0.1);
    // The bar is on the math axis, half the height of a letter above the baseline.
    assert_near(bar.baseline - rule.y, 0.3 * SIZE, 0.1 * SIZE);
    assert_eq!(bar.text(), "nk+m");

    let stacked = of(FractionKind::NoBar);
    assert!(stacked.rules.is_empty());
    assert!(stacked.character("n").y < stacked.baseline && stacked.character("k").y > stacked.baseline);

    let linear = of(FractionKind::Linear);
    assert_eq!(linear.text(), "n/k+m");
    assert_eq!(linear.character("n").y, linear.character("k").y);

    let skewed = of(FractionKind::Skewed);
    assert_eq!(skewed.text(), "n⁄k+m");
    assert!(
        skewed.character("n").y < skewed.character("k").y - 0.2 * SIZE
            && skewed.character("n").x < skewed.character("k").x
    );
}

#[test]
fn a_fraction_in_a_line_of_text_is_smaller_than_a_displayed_one() {
    let formula = vec![fraction(FractionKind::Bar, row("a"), row("b"))];
    let (shown, within) = (lay_out_formula(displayed(formula.clone())), lay_out_formula(inline(formula)));
    assert_eq!(shown.character("a").size, SIZE);
    assert!(within.character("a").size < 0.8 * SIZE);
    assert!(within.height < shown.height);
}

#[test]
fn a_root_grows_with_its_radicand_and_covers_it() {
    let root = |degree: Option<&str>, radicand| {
        lay_out_formula(displayed(vec![MathNode::Radical { degree: degree.map(row), radicand }]))
    };
    let plain = root(None, row("x+y"));
    let [rule] = plain.rules[..] else { panic!("one rule") };
    let (sign, first, last) = (plain.character("√"), plain.character("x"), plain.character("y"));
    assert!(rule.y + rule.height < first.y - 0.4 * SIZE, "the rule is above the letters");
    assert_near(rule.x, first.x, 0.5);
    assert_near(rule.x + rule.width, last.x + last.advance, 0.5);
    assert!(sign.x < first.x);

    let tall = root(None, vec![fraction(FractionKind::Bar, row("a"), row("b"))]);
    assert_ne!(tall.character("√").glyphs, sign.glyphs, "a larger sign");
    let nested = vec![fraction(FractionKind::Bar, vec![fraction(FractionKind::Bar, row("a"), row("b"))], row("c"))];
    let tower = (0..6).fold(nested, |inner, _| vec![fraction(FractionKind::Bar, inner, row("d"))]);
    let tower = root(None, tower);
    assert!(tower.character("√").glyphs.len() > 2, "put together of pieces: {:?}", tower.character("√"));
    assert!(tower.height > 4.0 * SIZE && plain.height < 2.0 * SIZE);

    let cube = root(Some("3"), row("x"));
    let degree = cube.character("3");
    assert!(degree.size < 0.7 * SIZE && degree.y < cube.baseline, "a small degree in the sign's angle");
    assert!(degree.x < cube.character("x").x);
    assert_eq!(cube.text(), "3√x");
}

#[test]
fn scripts_are_small_and_after_or_before_their_base() {
    let both = lay_out_formula(inline(vec![scripts("x", Some("i"), Some("2"))]));
    let (base, sub, sup) = (both.character("x"), both.character("i"), both.character("2"));
    assert!(sup.y < base.y - 0.2 * SIZE && sub.y > base.y + 0.05 * SIZE);
    assert!(sup.size < 0.8 * SIZE && sub.size == sup.size);
    assert!(sub.x >= base.x + base.advance - 0.1 && sup.x >= base.x + base.advance - 0.1);
    // Subscript and superscript do not touch: a digit is about 0.7 em high.
    assert!(sub.y - 0.55 * sub.size > sup.y, "{both:?}");

    let twice = MathNode::Scripts {
        base: row("e"),
        subscript: None,
        superscript: Some(vec![scripts("x", None, Some("2"))]),
        before: false,
    };
    let twice = lay_out_formula(inline(vec![twice]));
    assert!(twice.character("2").size < twice.character("x").size && twice.character("2").y < twice.character("x").y);

    let before =
        MathNode::Scripts { base: row("C"), subscript: Some(row("k")), superscript: Some(row("n")), before: true };
    let before = lay_out_formula(inline(vec![before]));
    assert!(before.character("k").x < before.character("C").x && before.character("n").x < before.character("C").x);
    assert!(before.character("n").y < before.character("C").y && before.character("k").y > before.character("C").y);
}

#[test]
fn limits_are_above_and_below_a_displayed_sum_and_beside_an_inline_one() {
    let formula = vec![sum("k", "n", row("a"))];
    let shown = lay_out_formula(displayed(formula.clone()));
    let (sign, lower, upper) = (shown.character("∑"), shown.character("k"), shown.character("n"));
    let middle = |sign: &PlacedCharacter| sign.x + sign.advance / 2.0;
    assert_near(middle(lower), middle(sign), 0.2 * SIZE);
    assert_near(middle(upper), middle(sign), 0.2 * SIZE);
    assert!(upper.y < shown.baseline - 0.8 * SIZE && lower.y > shown.baseline + 0.5 * SIZE);
    assert!(shown.character("a").x > sign.x + sign.advance, "a little space before the body");
    assert_eq!(shown.text(), "∑kna");

    let within = lay_out_formula(inline(formula));
    assert!(within.character("k").x >= within.character("∑").x + within.character("∑").advance - 0.5);
    assert!(within.height < 0.75 * shown.height);
    assert_ne!(within.character("∑").glyphs, sign.glyphs, "a smaller sign in the line");
}

#[test]
fn the_document_decides_where_the_limits_of_an_integral_are() {
    let integral = |above| {
        lay_out_formula(displayed(vec![MathNode::LargeOperator {
            operator: '∫',
            limits_above_and_below: above,
            grow: false,
            lower: Some(row("0")),
            upper: Some(row("1")),
            body: row("f"),
        }]))
    };
    let beside = integral(false);
    let (lower, upper) = (beside.character("0"), beside.character("1"));
    assert!(upper.x > lower.x + 1.0, "the upper limit is to the right of the slanted sign, the lower below it");
    assert!(lower.x > beside.character("∫").x + 0.3 * SIZE);
    let above = integral(true);
    assert!(above.height > beside.height && above.character("0").x < beside.character("0").x);
}

#[test]
fn brackets_grow_with_their_content_if_allowed() {
    let tall = || vec![fraction(FractionKind::Bar, row("a"), row("b"))];
    let small = lay_out_formula(displayed(vec![brackets(true, vec![row("x")])]));
    let large = lay_out_formula(displayed(vec![brackets(true, vec![tall()])]));
    let still = lay_out_formula(displayed(vec![brackets(false, vec![tall()])]));
    assert_eq!(small.text(), "(x)");
    assert_ne!(large.character("(").glyphs, small.character("(").glyphs);
    assert_eq!(still.character("(").glyphs, small.character("(").glyphs);
    assert_eq!(large.text(), "(ab)");

    let parted = lay_out_formula(displayed(vec![brackets(true, vec![tall(), row("c")])]));
    assert_eq!(parted.text(), "(ab|c)");
    assert!(parted.character("|").x > parted.rules[0].x + parted.rules[0].width);

    let open = MathNode::Delimiters {
        open: "{".into(),
        separator: "|".into(),
        close: String::new(),
        grow: true,
        items: vec![vec![MathNode::EquationArray { rows: (0..9).map(|_| row("x")).collect() }]],
    };
    let open = lay_out_formula(displayed(vec![open]));
    assert_eq!(open.text(), "{xxxxxxxxx");
    assert!(open.character("{").glyphs.len() > 3, "the brace is assembled from parts");
}

#[test]
fn cells_of_a_matrix_are_in_rows_and_columns() {
    let matrix = |alignment| {
        let rows = vec![vec![row("a"), row("b+c")], vec![row("d+e+f"), row("g")]];
        lay_out_formula(displayed(vec![MathNode::Matrix { rows, alignment }]))
    };
    let centred = matrix(vec![MathAlignment::Center; 2]);
    let (a, b, d, g) = (centred.character("a"), centred.character("b"), centred.character("d"), centred.character("g"));
    assert_eq!((a.y, d.y), (b.y, g.y));
    assert!(d.y > a.y + 0.9 * SIZE);
    assert!(a.x > d.x + 0.5 * SIZE, "centred in the column");
    assert!(b.x > centred.character("f").x + 0.5 * SIZE, "a gap between the columns");
    // The matrix is centred on the math axis.
    assert_near((a.y + d.y) / 2.0, centred.baseline, 0.2 * SIZE);
    let left = matrix(vec![MathAlignment::Start; 2]);
    assert_near(left.character("a").x, left.character("d").x, 0.01);
    assert_near(left.character("b").x, left.character("g").x, 0.01);
    assert_eq!(left.text(), "ab+cd+e+fg");
}

#[test]
fn rows_of_an_array_are_aligned_at_their_marks_and_numbered_at_the_margin() {
    let rows = vec![row("x&=1#(7)"), row("y+z&=22")];
    let array = lay_out_formula(displayed(vec![MathNode::EquationArray { rows }]));
    let signs = array.all_characters("=");
    assert_near(signs[0].x, signs[1].x, 0.01);
    assert!(signs[1].y > signs[0].y + 0.9 * SIZE);
    assert!(array.character("x").x > array.character("y").x + 0.5 * SIZE);
    let end = array.all_characters(")")[0];
    assert_near(end.x + end.advance, 1_000.0, 0.5);
    assert_near(end.y, signs[0].y, 0.01);
    assert!(array.all_characters("&").is_empty() && array.all_characters("#").is_empty());
}

#[test]
fn accents_bars_and_braces_are_above_or_below_their_base() {
    let accent = |mark, base: &str| lay_out_formula(inline(vec![MathNode::Accent { mark, base: row(base) }]));
    let hat = accent('\u{302}', "x");
    assert_near(hat.character("\u{302}").x, hat.character("x").x, 0.6 * SIZE);
    assert_ne!(accent('\u{302}', "xyz").character("\u{302}").glyphs, hat.character("\u{302}").glyphs, "a wider hat");
    assert!(accent('\u{302}', "X").character("\u{302}").y < hat.character("\u{302}").y, "higher over a capital");

    let bar = |over| lay_out_formula(inline(vec![MathNode::Bar { over, base: row("x+y") }]));
    let (over, under) = (bar(true), bar(false));
    assert!(over.rules[0].y < over.baseline - 0.5 * SIZE && under.rules[0].y > under.baseline);
    assert_near(over.rules[0].width, over.character("y").x + over.character("y").advance - over.character("x").x, 0.1);

    let brace = |character, over, on_baseline| {
        let base = row("a+b+c+d+e+f+g+h");
        lay_out_formula(inline(vec![MathNode::GroupCharacter { character, over, on_baseline, base }]))
    };
    let below = brace('⏟', false, false);
    assert!(below.character("⏟").y > below.character("a").y && below.character("a").y == below.baseline);
    let above = brace('⏞', true, false);
    assert!(above.character("⏞").y < above.character("a").y);
    let arrow = brace('→', false, true);
    assert!(arrow.character("a").y < arrow.character("→").y - 0.2 * SIZE && arrow.character("→").y == arrow.baseline);
    assert!(arrow.character("→").glyphs.len() > 1, "as long as the words above it");
}

#[test]
fn a_limit_is_below_its_operator() {
    let name = vec![MathNode::Limit { base: vec![upright("lim")], limit: row("n"), over: false }];
    let limit = lay_out_formula(displayed(vec![MathNode::Function { name, argument: row("x") }]));
    assert!(limit.character("n").y > limit.character("l").y + 0.3 * SIZE && limit.character("n").size < SIZE);
    assert_near(limit.character("n").x, limit.character("i").x, 0.4 * SIZE);
    assert!(
        limit.character("x").x > limit.character("m").x + limit.character("m").advance + 1.0,
        "space before the argument"
    );
}

#[test]
fn a_border_box_surrounds_its_content_and_strikes_cross_it() {
    let boxed = MathNode::BorderBox { sides: [true; 4], strikes: [false, false, true, false], content: row("x") };
    let boxed = lay_out_formula(inline(vec![boxed]));
    assert_eq!((boxed.rules.len(), boxed.strokes.len()), (4, 1));
    let x = boxed.character("x");
    assert!(boxed.rules.iter().any(|rule| rule.x + rule.width < x.x) && boxed.rules.iter().any(|r| r.x > x.x));
    let open = MathNode::BorderBox { sides: [true, false, false, false], strikes: [false; 4], content: row("x") };
    assert_eq!(lay_out_formula(inline(vec![open])).rules.len(), 1);
}

#[test]
fn a_phantom_takes_space_but_is_invisible() {
    let phantom = |shown, zero_width| MathNode::Phantom {
        shown,
        zero_width,
        zero_ascent: false,
        zero_descent: false,
        content: row("mmm"),
    };
    let x = |node| lay_out_formula(inline(vec![node, italic_run("x")])).character("x").x;
    let hidden = lay_out_formula(inline(vec![phantom(false, false), italic_run("x")]));
    assert_eq!(hidden.text(), "x");
    assert!(x(phantom(false, false)) > 2.0 * SIZE);
    assert_near(x(phantom(true, false)), x(phantom(false, false)), 0.01);
    assert_near(x(phantom(true, true)), 0.0, 0.01);
}
