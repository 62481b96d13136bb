import Documents

/// What is measured of one spine to tell whether synthetic spines are like real ones.
package enum SpineStatistic: String, Sendable, Codable, CaseIterable {
    case shortSide, longSide, aspect, lines, characters, textHeight, largestTextHeight, textHeightShare
    case contrastRatio, contrastSteps, edgeRise, edgeRiseShare, laplacian, noise, brightness, unevenLight
    case colourfulness, clutter, blockiness

    /// What reports call it, with its unit.
    package var label: String {
        switch self {
        case .shortSide: "short side (px)"
        case .longSide: "long side (px)"
        case .aspect: "long side / short side"
        case .lines: "lines read"
        case .characters: "characters in the label"
        case .textHeight: "text height, median line (px)"
        case .largestTextHeight: "text height, largest line (px)"
        case .textHeightShare: "largest text height / short side"
        case .contrastRatio: "contrast ratio of text (:1)"
        case .contrastSteps: "contrast of text (8-bit steps)"
        case .edgeRise: "edge rise (px)"
        case .edgeRiseShare: "edge rise / text height"
        case .laplacian: "Laplacian variance / contrast²"
        case .noise: "noise sigma (8-bit steps)"
        case .brightness: "mean luma (8-bit steps)"
        case .unevenLight: "unevenness along the spine (8-bit steps)"
        case .colourfulness: "colourfulness"
        case .clutter: "edges on the ground, share"
        case .blockiness: "JPEG blockiness"
        }
    }

    /// Digits after the point in reports.
    package var decimals: Int {
        switch self {
        case .shortSide, .longSide, .lines, .characters, .contrastSteps, .brightness, .unevenLight: 0
        case .textHeight, .largestTextHeight, .colourfulness, .aspect: 1
        case .contrastRatio, .edgeRise, .noise, .textHeightShare, .blockiness: 2
        case .edgeRiseShare, .laplacian, .clutter: 3
        }
    }

    /// How it is measured, and after whom; a sentence for the report.
    package var method: String {
        switch self {
        case .shortSide, .longSide, .aspect: "Of the picture as it stands upright."
        case .lines:
            "Lines of two characters and more that were read with a confidence of "
                + "\(NumberText.short(SpineMeasurement.decentConfidence)) or more; the figures of text are of these."
        case .characters: "Of the labelled transcription; the only figure here that is taken from labels."
        case .textHeight, .largestTextHeight, .textHeightShare:
            "Height of the detector's box, which is a little higher than the ink. Of an even number of lines the lower "
                + "middle one is the median."
        case .contrastRatio:
            "Pixels of a line's box in two classes by luma (Otsu 1979); (L1 + 0.05) / (L2 + 0.05) of the classes' mean "
                + "relative luminance (WCAG 2.2, in linear light); of a spine's lines the median."
        case .contrastSteps: "Difference of the same two classes' mean luma (Rec. 601); of a spine's lines the median."
        case .edgeRise:
            "Distance from 10 % to 90 % of an edge (as ISO 12233 has it) along the rows and columns of a line's box, of "
                + "edges at least half as high as the line's contrast (after Marziliano et al. 2002); the median over a "
                + "spine's lines."
        case .edgeRiseShare: "The same with each edge divided by the height of its line's box."
        case .laplacian:
            "Variance of the 4-neighbour Laplacian of luma (Pech-Pacheco et al. 2000) over the squared contrast in 8-bit "
                + "steps; of a spine's lines the median."
        case .noise:
            "Immerkær's fast estimate (1996) over the flatter half of the pixels by Sobel slope (after Tai and Yang 2008)."
        case .brightness: "Mean Rec. 601 luma."
        case .unevenLight:
            "Largest less smallest of the median lumas of 8 bands along the spine, text left out: light and the cover's "
                + "own fields together."
        case .colourfulness: "Hasler and Süsstrunk (2003), M̂⁽³⁾."
        case .clutter:
            "Share of the pixels outside text with a Sobel slope of \(Int(GroundClutter.slope)) steps a pixel or more, "
                + "with the short side at \(GroundClutter.shortSide) px where it is longer."
        case .blockiness:
            "Mean step across the file's 8 × 8 grid over the mean step elsewhere (after Wang, Sheikh and Bovik 2002); 1 "
                + "without blocks."
        }
    }
}
