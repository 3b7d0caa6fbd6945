//! Positions of the parts of every formula structure (ECMA-376 part 1, §22.1.2).

mod book;
mod math_common;
mod text_common;

use math_common::*;
use text_common::near;
use waraq_docx::tree::*;

#[test]
fn a_numerator_stands_above_its_bar_and_a_denominator_below() {
    let of = |kind| set(displayed(vec![fraction(kind, row("n"), row("k+m"))]));
    let bar = of(FractionKind::Bar);
    let [rule] = bar.rules[..] else { panic!("one bar: {:?}", bar.rules) };
    let (above, below) = (bar.sign("n"), bar.sign("k"));
    assert!(above.y < rule.y, "the numerator's baseline is above the bar");
    assert!(below.y > rule.y + rule.height + 0.4 * SIZE, "the denominator hangs below it");
    near(above.x + above.advance / 2.0, rule.x + rule.width / 2.0, 0.5);
    assert!(rule.x < below.x && rule.x + rule.width > bar.sign("m").x + bar.sign("m").advance - 0.1);
    // The bar is on the math axis, half the height of a letter above the baseline.
    near(bar.baseline - rule.y, 0.3 * SIZE, 0.1 * SIZE);
    assert_eq!(bar.read(), "nk+m");

    let stacked = of(FractionKind::NoBar);
    assert!(stacked.rules.is_empty());
    assert!(stacked.sign("n").y < stacked.baseline && stacked.sign("k").y > stacked.baseline);

    let linear = of(FractionKind::Linear);
    assert_eq!(linear.read(), "n/k+m");
    assert_eq!(linear.sign("n").y, linear.sign("k").y);

    let skewed = of(FractionKind::Skewed);
    assert_eq!(skewed.read(), "n⁄k+m");
    assert!(skewed.sign("n").y < skewed.sign("k").y - 0.2 * SIZE && skewed.sign("n").x < skewed.sign("k").x);
}

#[test]
fn a_fraction_in_a_line_of_text_is_smaller_than_a_displayed_one() {
    let formula = vec![fraction(FractionKind::Bar, row("a"), row("b"))];
    let (shown, within) = (set(displayed(formula.clone())), set(inline(formula)));
    assert_eq!(shown.sign("a").size, SIZE);
    assert!(within.sign("a").size < 0.8 * SIZE);
    assert!(within.height < shown.height);
}

#[test]
fn a_root_grows_with_its_radicand_and_covers_it() {
    let root =
        |degree: Option<&str>, radicand| set(displayed(vec![MathNode::Radical { degree: degree.map(row), radicand }]));
    let plain = root(None, row("x+y"));
    let [rule] = plain.rules[..] else { panic!("one rule") };
    let (sign, first, last) = (plain.sign("√"), plain.sign("x"), plain.sign("y"));
    assert!(rule.y + rule.height < first.y - 0.4 * SIZE, "the rule is above the letters");
    near(rule.x, first.x, 0.5);
    near(rule.x + rule.width, last.x + last.advance, 0.5);
    assert!(sign.x < first.x);

    let tall = root(None, vec![fraction(FractionKind::Bar, row("a"), row("b"))]);
    assert_ne!(tall.sign("√").glyphs, sign.glyphs, "a larger sign");
    let nested = vec![fraction(FractionKind::Bar, vec![fraction(FractionKind::Bar, row("a"), row("b"))], row("c"))];
    let tower = (0..6).fold(nested, |inner, _| vec![fraction(FractionKind::Bar, inner, row("d"))]);
    let tower = root(None, tower);
    assert!(tower.sign("√").glyphs.len() > 2, "put together of pieces: {:?}", tower.sign("√"));
    assert!(tower.height > 4.0 * SIZE && plain.height < 2.0 * SIZE);

    let cube = root(Some("3"), row("x"));
    let degree = cube.sign("3");
    assert!(degree.size < 0.7 * SIZE && degree.y < cube.baseline, "a small degree in the sign's angle");
    assert!(degree.x < cube.sign("x").x);
    assert_eq!(cube.read(), "3√x");
}

#[test]
fn scripts_stand_small_after_their_base_or_before_it() {
    let both = set(inline(vec![scripts("x", Some("i"), Some("2"))]));
    let (base, sub, sup) = (both.sign("x"), both.sign("i"), both.sign("2"));
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
    let twice = set(inline(vec![twice]));
    assert!(twice.sign("2").size < twice.sign("x").size && twice.sign("2").y < twice.sign("x").y);

    let before =
        MathNode::Scripts { base: row("C"), subscript: Some(row("k")), superscript: Some(row("n")), before: true };
    let before = set(inline(vec![before]));
    assert!(before.sign("k").x < before.sign("C").x && before.sign("n").x < before.sign("C").x);
    assert!(before.sign("n").y < before.sign("C").y && before.sign("k").y > before.sign("C").y);
}

#[test]
fn limits_stand_above_and_below_a_displayed_sum_and_beside_one_in_a_line() {
    let formula = vec![sum("k", "n", row("a"))];
    let shown = set(displayed(formula.clone()));
    let (sign, lower, upper) = (shown.sign("∑"), shown.sign("k"), shown.sign("n"));
    let middle = |sign: &Sign| sign.x + sign.advance / 2.0;
    near(middle(lower), middle(sign), 0.2 * SIZE);
    near(middle(upper), middle(sign), 0.2 * SIZE);
    assert!(upper.y < shown.baseline - 0.8 * SIZE && lower.y > shown.baseline + 0.5 * SIZE);
    assert!(shown.sign("a").x > sign.x + sign.advance, "a little space before the body");
    assert_eq!(shown.read(), "∑kna");

    let within = set(inline(formula));
    assert!(within.sign("k").x >= within.sign("∑").x + within.sign("∑").advance - 0.5);
    assert!(within.height < 0.75 * shown.height);
    assert_ne!(within.sign("∑").glyphs, sign.glyphs, "a smaller sign in the line");
}

#[test]
fn an_integral_has_its_limits_where_the_document_says() {
    let integral = |above| {
        set(displayed(vec![MathNode::LargeOperator {
            operator: '∫',
            limits_above_and_below: above,
            grow: false,
            lower: Some(row("0")),
            upper: Some(row("1")),
            body: row("f"),
        }]))
    };
    let beside = integral(false);
    let (lower, upper) = (beside.sign("0"), beside.sign("1"));
    assert!(upper.x > lower.x + 1.0, "the upper limit stands behind the slope, the lower under it");
    assert!(lower.x > beside.sign("∫").x + 0.3 * SIZE);
    let above = integral(true);
    assert!(above.height > beside.height && above.sign("0").x < beside.sign("0").x);
}

#[test]
fn brackets_grow_with_what_they_hold_unless_told_not_to() {
    let tall = || vec![fraction(FractionKind::Bar, row("a"), row("b"))];
    let small = set(displayed(vec![brackets(true, vec![row("x")])]));
    let large = set(displayed(vec![brackets(true, vec![tall()])]));
    let still = set(displayed(vec![brackets(false, vec![tall()])]));
    assert_eq!(small.read(), "(x)");
    assert_ne!(large.sign("(").glyphs, small.sign("(").glyphs);
    assert_eq!(still.sign("(").glyphs, small.sign("(").glyphs);
    assert_eq!(large.read(), "(ab)");

    let parted = set(displayed(vec![brackets(true, vec![tall(), row("c")])]));
    assert_eq!(parted.read(), "(ab|c)");
    assert!(parted.sign("|").x > parted.rules[0].x + parted.rules[0].width);

    let open = MathNode::Delimiters {
        open: "{".into(),
        separator: "|".into(),
        close: String::new(),
        grow: true,
        items: vec![vec![MathNode::EquationArray { rows: (0..9).map(|_| row("x")).collect() }]],
    };
    let open = set(displayed(vec![open]));
    assert_eq!(open.read(), "{xxxxxxxxx");
    assert!(open.sign("{").glyphs.len() > 3, "a brace of pieces");
}

#[test]
fn cells_of_a_matrix_stand_in_rows_and_columns() {
    let matrix = |alignment| {
        let rows = vec![vec![row("a"), row("b+c")], vec![row("d+e+f"), row("g")]];
        set(displayed(vec![MathNode::Matrix { rows, alignment }]))
    };
    let centred = matrix(vec![MathAlignment::Center; 2]);
    let (a, b, d, g) = (centred.sign("a"), centred.sign("b"), centred.sign("d"), centred.sign("g"));
    assert_eq!((a.y, d.y), (b.y, g.y));
    assert!(d.y > a.y + 0.9 * SIZE);
    assert!(a.x > d.x + 0.5 * SIZE, "centred in the column");
    assert!(b.x > centred.sign("f").x + 0.5 * SIZE, "a gap between the columns");
    // The matrix is centred on the math axis.
    near((a.y + d.y) / 2.0, centred.baseline, 0.2 * SIZE);
    let left = matrix(vec![MathAlignment::Start; 2]);
    near(left.sign("a").x, left.sign("d").x, 0.01);
    near(left.sign("b").x, left.sign("g").x, 0.01);
    assert_eq!(left.read(), "ab+cd+e+fg");
}

#[test]
fn rows_of_an_array_are_aligned_at_their_marks_and_numbered_at_the_margin() {
    let rows = vec![row("x&=1#(7)"), row("y+z&=22")];
    let array = set(displayed(vec![MathNode::EquationArray { rows }]));
    let signs = array.all("=");
    near(signs[0].x, signs[1].x, 0.01);
    assert!(signs[1].y > signs[0].y + 0.9 * SIZE);
    assert!(array.sign("x").x > array.sign("y").x + 0.5 * SIZE);
    let end = array.all(")")[0];
    near(end.x + end.advance, 1_000.0, 0.5);
    near(end.y, signs[0].y, 0.01);
    assert!(array.all("&").is_empty() && array.all("#").is_empty());
}

#[test]
fn accents_bars_and_braces_stand_over_and_under_their_base() {
    let accent = |mark, base: &str| set(inline(vec![MathNode::Accent { mark, base: row(base) }]));
    let hat = accent('\u{302}', "x");
    near(hat.sign("\u{302}").x, hat.sign("x").x, 0.6 * SIZE);
    assert_ne!(accent('\u{302}', "xyz").sign("\u{302}").glyphs, hat.sign("\u{302}").glyphs, "a wider hat");
    assert!(accent('\u{302}', "X").sign("\u{302}").y < hat.sign("\u{302}").y, "higher over a capital");

    let bar = |over| set(inline(vec![MathNode::Bar { over, base: row("x+y") }]));
    let (over, under) = (bar(true), bar(false));
    assert!(over.rules[0].y < over.baseline - 0.5 * SIZE && under.rules[0].y > under.baseline);
    near(over.rules[0].width, over.sign("y").x + over.sign("y").advance - over.sign("x").x, 0.1);

    let brace = |character, over, on_baseline| {
        let base = row("a+b+c+d+e+f+g+h");
        set(inline(vec![MathNode::GroupCharacter { character, over, on_baseline, base }]))
    };
    let below = brace('⏟', false, false);
    assert!(below.sign("⏟").y > below.sign("a").y && below.sign("a").y == below.baseline);
    let above = brace('⏞', true, false);
    assert!(above.sign("⏞").y < above.sign("a").y);
    let arrow = brace('→', false, true);
    assert!(arrow.sign("a").y < arrow.sign("→").y - 0.2 * SIZE && arrow.sign("→").y == arrow.baseline);
    assert!(arrow.sign("→").glyphs.len() > 1, "as long as the words above it");
}

#[test]
fn a_limit_stands_under_its_operator() {
    let name = vec![MathNode::Limit { base: vec![upright("lim")], limit: row("n"), over: false }];
    let limit = set(displayed(vec![MathNode::Function { name, argument: row("x") }]));
    assert!(limit.sign("n").y > limit.sign("l").y + 0.3 * SIZE && limit.sign("n").size < SIZE);
    near(limit.sign("n").x, limit.sign("i").x, 0.4 * SIZE);
    assert!(limit.sign("x").x > limit.sign("m").x + limit.sign("m").advance + 1.0, "space before the argument");
}

#[test]
fn a_frame_surrounds_what_it_holds_and_strikes_go_through() {
    let boxed = MathNode::BorderBox { sides: [true; 4], strikes: [false, false, true, false], content: row("x") };
    let boxed = set(inline(vec![boxed]));
    assert_eq!((boxed.rules.len(), boxed.strokes.len()), (4, 1));
    let x = boxed.sign("x");
    assert!(boxed.rules.iter().any(|rule| rule.x + rule.width < x.x) && boxed.rules.iter().any(|r| r.x > x.x));
    let open = MathNode::BorderBox { sides: [true, false, false, false], strikes: [false; 4], content: row("x") };
    assert_eq!(set(inline(vec![open])).rules.len(), 1);
}

#[test]
fn a_phantom_takes_room_and_no_ink() {
    let phantom = |shown, zero_width| MathNode::Phantom {
        shown,
        zero_width,
        zero_ascent: false,
        zero_descent: false,
        content: row("mmm"),
    };
    let x = |node| set(inline(vec![node, letters("x")])).sign("x").x;
    let hidden = set(inline(vec![phantom(false, false), letters("x")]));
    assert_eq!(hidden.read(), "x");
    assert!(x(phantom(false, false)) > 2.0 * SIZE);
    near(x(phantom(true, false)), x(phantom(false, false)), 0.01);
    near(x(phantom(true, true)), 0.0, 0.01);
}
