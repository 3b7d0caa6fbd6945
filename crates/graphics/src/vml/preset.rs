//! Maps the numbers of VML shape types (o:spt, part 4, §19.2.2) to the names of preset shapes. The map is used for
//! files that lack the definition of a shape type.

/// The names of the presets, separated by spaces. Each entry has the number of its first preset. The other presets of
/// the entry have the numbers that follow. Numbers in no entry are unused.
const NAMES: [(usize, &str); 4] = [
    (
        1,
        "rect roundRect ellipse diamond triangle rtTriangle parallelogram trapezoid hexagon octagon plus star5 \
         rightArrow rightArrow homePlate cube wedgeRoundRectCallout star16 arc line plaque can donut",
    ),
    (
        32,
        "straightConnector1 bentConnector2 bentConnector3 bentConnector4 bentConnector5 curvedConnector2 \
         curvedConnector3 curvedConnector4 curvedConnector5 callout1 callout2 callout3 accentCallout1 \
         accentCallout2 accentCallout3 borderCallout1 borderCallout2 borderCallout3 accentBorderCallout1 \
         accentBorderCallout2 accentBorderCallout3 ribbon ribbon2 chevron pentagon noSmoking star8 star16 star32 \
         wedgeRectCallout wedgeRoundRectCallout wedgeEllipseCallout wave foldedCorner leftArrow downArrow upArrow \
         leftRightArrow upDownArrow irregularSeal1 irregularSeal2 lightningBolt heart rect quadArrow \
         leftArrowCallout rightArrowCallout upArrowCallout downArrowCallout leftRightArrowCallout \
         upDownArrowCallout quadArrowCallout bevel leftBracket rightBracket leftBrace rightBrace leftUpArrow \
         bentUpArrow bentArrow star24 stripedRightArrow notchedRightArrow blockArc smileyFace verticalScroll \
         horizontalScroll circularArrow",
    ),
    (
        101,
        "uturnArrow curvedRightArrow curvedLeftArrow curvedUpArrow curvedDownArrow cloudCallout ellipseRibbon \
         ellipseRibbon2 flowChartProcess flowChartDecision flowChartInputOutput flowChartPredefinedProcess \
         flowChartInternalStorage flowChartDocument flowChartMultidocument flowChartTerminator \
         flowChartPreparation flowChartManualInput flowChartManualOperation flowChartConnector \
         flowChartPunchedCard flowChartPunchedTape flowChartSummingJunction flowChartOr flowChartCollate \
         flowChartSort flowChartExtract flowChartMerge flowChartOfflineStorage flowChartOnlineStorage \
         flowChartMagneticTape flowChartMagneticDisk flowChartMagneticDrum flowChartDisplay flowChartDelay",
    ),
    (
        176,
        "flowChartAlternateProcess flowChartOffpageConnector callout1 accentCallout1 borderCallout1 \
         accentBorderCallout1 leftRightUpArrow sun moon bracketPair bracePair star4 doubleWave actionButtonBlank \
         actionButtonHome actionButtonHelp actionButtonInformation actionButtonForwardNext \
         actionButtonBackPrevious actionButtonEnd actionButtonBeginning actionButtonReturn actionButtonDocument \
         actionButtonSound actionButtonMovie rect rect rect",
    ),
];

/// Returns the name of the preset with this number, or `None` if the number is unused.
pub(super) fn preset_name(number: i64) -> Option<&'static str> {
    let number = usize::try_from(number).ok()?;
    NAMES.iter().find_map(|(first, names)| names.split(' ').nth(number.checked_sub(*first)?))
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_of_shape_types_select_presets() {
        let name = |number| super::preset_name(number).unwrap_or_default();
        let known = [1, 12, 13, 55, 61, 98, 109, 135, 176, 184, 187, 202].map(name);
        let wanted = [
            "rect",
            "star5",
            "rightArrow",
            "chevron",
            "wedgeRectCallout",
            "horizontalScroll",
            "flowChartProcess",
            "flowChartDelay",
            "flowChartAlternateProcess",
            "moon",
            "star4",
            "rect",
        ];
        assert_eq!(known, wanted);
        assert_eq!(super::preset_name(136), None);
        assert_eq!(super::preset_name(0), None);
    }
}
