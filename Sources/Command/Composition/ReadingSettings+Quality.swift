package import ScanningPolicies
package import SpineReaders
import TextRecognition

extension ReadingSettings {
    /// What a quality of the adaptive reader is made of: accurate, fast, or fast with a smaller picture and one look.
    ///
    /// - Parameter quality: the one that is wanted.
    package init(_ quality: ReadingQuality) {
        let level = ReadingLevel(quality)
        self = level.tier == "accurate" ? .accurate : .fast
        guard level.inputScale < 1 else { return }
        func scaled(_ side: Int) -> Int { Int((Double(side) * level.inputScale).rounded()) }
        reader.firstLook.shortSide = scaled(reader.firstLook.shortSide)
        reader.firstLook.longSide = scaled(reader.firstLook.longSide)
        reader.furtherLooks = []
        reader.gapsSearched = 0
    }
}
