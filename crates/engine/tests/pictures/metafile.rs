//! Builds metafiles from text, one record per line: a name, numbers, colours as `#RRGGBB`, and text in quotes at the end.
//!
//! One pixel is a tenth of a millimetre in [MS-EMF], and 1/254 of an inch in [MS-WMF].

/// The name of a record and its arguments.
struct Line<'a> {
    name: &'a str,
    numbers: Vec<i32>,
    text: &'a str,
}

fn lines(program: &str) -> impl Iterator<Item = Line<'_>> {
    let lines = program.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(|line| {
        let (plain, text) =
            line.split_once('"').map_or((line, ""), |(plain, text)| (plain, text.trim_end_matches('"')));
        let mut words = plain.split_whitespace();
        let number = |word: &str| match word.strip_prefix('#') {
            // A colour is stored as 0x00BBGGRR: red is the last byte.
            Some(color) => i32::from_str_radix(color, 16).unwrap().swap_bytes() >> 8,
            None => word.parse().unwrap(),
        };
        Line { name: words.next().unwrap(), numbers: words.map(number).collect(), text }
    })
}

fn longs(numbers: &[i32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn shorts(numbers: &[i32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| (*number as i16).to_le_bytes()).collect()
}

/// Returns an enhanced metafile of the given size in pixels.
pub fn enhanced(width: i32, height: i32, program: &str) -> Vec<u8> {
    let mut header = longs(&[0, 0, width - 1, height - 1, 0, 0, width * 10, height * 10]);
    header.extend(b" EMF");
    header.extend(longs(&[0x10000, 0, 0, 0, 0, 0, 0, 1_000, 1_000, 100, 100]));
    let mut file = Vec::new();
    let mut record = |kind: i32, mut content: Vec<u8>| {
        content.resize(content.len().next_multiple_of(4), 0);
        file.extend(longs(&[kind, content.len() as i32 + 8]));
        file.extend(content);
    };
    record(1, header);
    for Line { name, numbers, text } in lines(program) {
        let (kind, content) = match name {
            "window" => (9, longs(&numbers)),
            "viewport" => (11, longs(&numbers)),
            "mode" => (17, longs(&numbers)),
            "ground" => (18, longs(&numbers)),
            "align" => (22, longs(&numbers)),
            "ink" => (24, longs(&numbers)),
            "move" => (27, longs(&numbers)),
            "clip" => (30, longs(&numbers)),
            "save" => (33, Vec::new()),
            "restore" => (34, longs(&[-1])),
            "turn" => {
                let (sin, cos) = (numbers[0] as f32).to_radians().sin_cos();
                let matrix = [cos, sin, -sin, cos, numbers[1] as f32, numbers[2] as f32];
                (35, matrix.iter().flat_map(|number| number.to_le_bytes()).collect())
            }
            "select" => (37, longs(&numbers)),
            "pen" => (38, longs(&[numbers[0], numbers[1], numbers[2], 0, numbers[3]])),
            "brush" => (39, longs(&[numbers[0], numbers[1], numbers[2], 0])),
            "ellipse" => (42, longs(&numbers)),
            "rectangle" => (43, longs(&numbers)),
            "rounded" => (44, longs(&numbers)),
            "arc" => (45, longs(&numbers)),
            "chord" => (46, longs(&numbers)),
            "pie" => (47, longs(&numbers)),
            "line" => (54, longs(&numbers)),
            "begin" => (59, Vec::new()),
            "end" => (60, Vec::new()),
            "close" => (61, Vec::new()),
            "paint" => (63, longs(&[0; 4])),
            "curve" | "polygon" | "polyline" => {
                let kind = ["curve", "polygon", "polyline"].iter().position(|known| *known == name).unwrap() as i32;
                (2 + kind, longs(&[&[0, 0, 0, 0, numbers.len() as i32 / 2], &numbers[..]].concat()))
            }
            "font" => {
                let mut content = longs(&[numbers[0], numbers[1], 0, numbers[2], numbers[2], numbers[3]]);
                content.extend([numbers[4] as u8, 0, 0, 0, 0, 0, 0, 0]);
                content.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
                content.resize(12 + 92, 0);
                (82, content)
            }
            "text" => {
                let count = text.encode_utf16().count() as i32;
                let at = [numbers[0], numbers[1], count, 76, 0, 0, 0, 0, 0, 0];
                let mut content = longs(&[&[0, 0, 0, 0, 1, 0, 0], &at[..]].concat());
                content.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
                (84, content)
            }
            other => panic!("no record is made as {other:?}"),
        };
        record(kind, content);
    }
    record(14, longs(&[0, 0, 20]));
    // The file's length in bytes, its number of records and its number of objects.
    let (length, records) = (file.len() as i32, lines(program).count() as i32 + 2);
    file.splice(48..60, longs(&[length, records, 32]));
    file
}

/// Returns a placeable WMF metafile of the given size in units.
pub fn old(width: i32, height: i32, program: &str) -> Vec<u8> {
    let mut file = 0x9AC6_CDD7_u32.to_le_bytes().to_vec();
    file.extend(shorts(&[0, 0, 0, width, height, 254, 0, 0, 0]));
    file.extend(shorts(&[1, 9, 0x300, 0, 0, 0, 0, 0, 0]));
    let mut record = |kind: u16, mut content: Vec<u8>| {
        content.resize(content.len().next_multiple_of(2), 0);
        file.extend((content.len() as u32 / 2 + 3).to_le_bytes());
        file.extend(kind.to_le_bytes());
        file.extend(content);
    };
    for Line { name, numbers, text } in lines(program) {
        // WMF records store their arguments in reverse order.
        let reversed = || shorts(&numbers.iter().rev().copied().collect::<Vec<_>>());
        let (kind, content) = match name {
            "window" => (0x020C, reversed()),
            "ground" => (0x0102, reversed()),
            "align" => (0x012E, reversed()),
            "ink" => (0x0209, longs(&numbers)),
            "move" => (0x0214, reversed()),
            "line" => (0x0213, reversed()),
            "clip" => (0x0416, reversed()),
            "save" => (0x001E, Vec::new()),
            "restore" => (0x0127, shorts(&[-1])),
            "select" => (0x012D, reversed()),
            "pen" => (0x02FA, [shorts(&[numbers[0], numbers[1], 0]), longs(&numbers[2..])].concat()),
            "brush" => (0x02FC, [shorts(&numbers[..1]), longs(&numbers[1..]), shorts(&[0])].concat()),
            "ellipse" => (0x0418, reversed()),
            "rectangle" => (0x041B, reversed()),
            "rounded" => (0x061C, reversed()),
            "arc" => (0x0817, reversed()),
            "pie" => (0x081A, reversed()),
            "polygon" => (0x0324, shorts(&[&[numbers.len() as i32 / 2], &numbers[..]].concat())),
            "polyline" => (0x0325, shorts(&[&[numbers.len() as i32 / 2], &numbers[..]].concat())),
            "font" => {
                let mut content = shorts(&[numbers[0], 0, numbers[1], numbers[1], numbers[2]]);
                content.extend([numbers[3] as u8, 0, 0, 0, 0, 0, 0, 0]);
                content.extend(text.bytes().chain([0]));
                (0x02FB, content)
            }
            "text" => {
                let mut content = shorts(&[text.len() as i32]);
                content.extend(text.bytes());
                content.resize(content.len().next_multiple_of(2), 0);
                content.extend(shorts(&[numbers[1], numbers[0]]));
                (0x0521, content)
            }
            other => panic!("no record is made as {other:?}"),
        };
        record(kind, content);
    }
    record(0, Vec::new());
    file
}
