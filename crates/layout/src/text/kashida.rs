//! Kashida: justification of Arabic text by elongated letters (§17.18.44 lowKashida, mediumKashida, highKashida).

use waraq_docx::tree::Alignment;

use super::joining;
use super::source::{ClusterKind, Clusters, ParagraphSource};

/// A letter that is elongated by tatweels. `cluster` is the index of the letter. `width` is the width in points that the
/// tatweels add after the letter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Kashida {
    pub cluster: usize,
    pub width: f32,
}

/// Returns the tatweels to add between letters of the line. Their total width is at most `slack` points. Each word gets tatweels
/// at one position only. Words with a better position get their tatweels first. The `alignment` (low, medium or high kashida)
/// determines the maximum number of tatweels per word. The caller distributes the remaining slack over the spaces.
///
/// `tatweel` returns the width of a tatweel after a cluster, or 0 if the font has none.
pub(super) fn distribute_kashidas(
    source: &ParagraphSource,
    clusters: &Clusters,
    line: std::ops::Range<usize>,
    alignment: Alignment,
    mut slack: f32,
    tatweel: impl Fn(usize) -> f32,
) -> Vec<Kashida> {
    let max_per_word = match alignment {
        Alignment::LowKashida => 1,
        Alignment::MediumKashida => 2,
        Alignment::HighKashida => 1_000,
        _ => return Vec::new(),
    };
    let mut places = kashida_positions(source, clusters, line);
    places.sort_by_key(|place| place.rank);
    let no_tatweels =
        |place: &KashidaPosition| Tatweels { cluster: place.after, width: tatweel(place.after), count: 0 };
    let mut tatweels: Vec<Tatweels> = places.iter().map(no_tatweels).collect();
    // Add one tatweel per word in each round, so that every word gets its first tatweel before another one gets its second.
    for _ in 0..max_per_word {
        let before = slack;
        for Tatweels { width, count, .. } in &mut tatweels {
            if *width > 0.1 && *width <= slack {
                *count += 1;
                slack -= *width;
            }
        }
        if before == slack {
            break;
        }
    }
    let stretched = tatweels.into_iter().filter(|tatweels| tatweels.count > 0);
    let kashida = |Tatweels { cluster, width, count }| Kashida { cluster, width: width * count as f32 };
    let mut kashidas: Vec<Kashida> = stretched.map(kashida).collect();
    kashidas.sort_by_key(|kashida| kashida.cluster);
    kashidas
}

/// The tatweels that are added after a cluster.
struct Tatweels {
    /// Index of the cluster.
    cluster: usize,
    /// Width of one tatweel in points.
    width: f32,
    /// Number of tatweels.
    count: u32,
}

/// A possible position of a kashida: between the cluster `after` and the next cluster. Lower ranks are better.
struct KashidaPosition {
    after: usize,
    rank: u8,
}

/// Returns the best position for a kashida in each word that has one.
fn kashida_positions(
    source: &ParagraphSource,
    clusters: &Clusters,
    line: std::ops::Range<usize>,
) -> Vec<KashidaPosition> {
    let mut places = Vec::new();
    let mut best: Option<KashidaPosition> = None;
    for index in line {
        let Some(cluster) = clusters.get(index) else { break };
        if cluster.kind != ClusterKind::Text {
            places.extend(best.take());
            continue;
        }
        if !cluster.allows_tatweel || index == 0 {
            continue;
        }
        let at = |index| clusters.start(index);
        let (before, from) = source.text.split_at_checked(at(index)).unwrap_or_default();
        let Some(rank) = kashida_rank(before, from, at(index + 1) - at(index)) else { continue };
        // Among positions of equal rank, the last one is used, because elongation looks best near the end of a word.
        if best.as_ref().is_none_or(|best| rank <= best.rank) {
            best = Some(KashidaPosition { after: index - 1, rank });
        }
    }
    places.extend(best);
    places
}

/// Returns the rank of a kashida before a letter, or `None` if the letter is not joined to the letter before it. Lower ranks are
/// better. The ranks are those of Uniscribe, which follows calligraphy. From best to worst, a kashida is placed: after a tatweel;
/// after seen and sad; before a final taa marbuta, haa or dal; before a final alef, taa, lam or kaf; before the baa of a final
/// reh or yeh; before a final waw, ain, qaf or feh; before any other final letter; and finally between any joined letters.
/// `before` is the text before the letter. `from` is the text that begins with the letter. `length` is the length of the letter's
/// cluster in bytes.
fn kashida_rank(before: &str, from: &str, length: usize) -> Option<u8> {
    let is_base = |c: &char| !joining::is_transparent(*c);
    let previous = before.chars().rev().find(is_base)?;
    let (own, after) = from.split_at_checked(length)?;
    let letter = own.chars().find(is_base)?;
    if !joining::joins_next(previous) || !joining::joins_previous(letter) {
        return None;
    }
    let last = own.chars().rev().find(is_base).unwrap_or(letter);
    let mut following = after.chars().filter(is_base);
    let next = following.next().filter(|next| joining::joins_next(last) && joining::joins_previous(*next));
    let next_is_final =
        next.is_some_and(|next| !joining::joins_next(next) || !following.next().is_some_and(joining::joins_previous));
    Some(match (previous, letter, next) {
        ('\u{640}', ..) => 0,
        ('س' | 'ش' | 'ص' | 'ض', ..) => 1,
        (_, 'ة' | 'ه' | 'د' | 'ذ', None) => 2,
        (_, 'ا' | 'أ' | 'إ' | 'آ' | 'ط' | 'ظ' | 'ل' | 'ك' | 'ک' | 'گ', None) => 3,
        (_, 'ب' | 'ت' | 'ث' | 'ن' | 'ي' | 'پ', Some('ر' | 'ز' | 'ي' | 'ى' | 'ی')) if next_is_final => 4,
        (_, 'و' | 'ع' | 'غ' | 'ق' | 'ف', None) => 5,
        (_, _, None) => 6,
        _ => 7,
    })
}
