import Foundation
import TextRecognition
import VisionEngine

/// Reads the spine in a picture file with Apple's Vision framework; returns its lines in reading order.
func readSpine(at file: URL) throws -> [String] {
    let scanner = SpineScanner(reader: VisionSpineReader(usesLanguageCorrection: true))
    let (reading, _) = try scanner.scan([UInt8](try Data(contentsOf: file)), name: file.lastPathComponent)
    return reading.lines.map(\.text)
}
