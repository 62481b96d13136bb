import Foundation
import Imaging
import SpineDatasets

/// Text files named `gt_NAME.txt` beside pictures named `NAME`, with a line for every word or line of text.
///
/// Source: ICDAR 2015 Robust Reading, challenge 4, task 4.1: eight coordinates, clockwise from the top left as the
/// text is read, then the text, which may contain commas; `###` marks regions that are not judged.
enum ICDARSource {
    static func read(_ files: [String], into intake: inout RecordIntake) throws(DatasetError) {
        for file in files {
            let name = URL(filePath: file).deletingPathExtension().lastPathComponent
            var reader = try LineReader(file)
            var lines: [ForeignLine] = []
            var faults: [DatasetFault] = []
            while let bytes = try reader.next() {
                if bytes.isBlank { continue }
                do throws(ImportFault) {
                    lines.append(try line(bytes))
                } catch {
                    faults += error.messages.map(ImportPlace(file: file, line: reader.number).fault)
                }
            }
            guard faults.isEmpty else {
                intake.refuse(faults)
                continue
            }
            let spine = ForeignSpine(lines: lines)
            let picture = String(name.dropFirst("gt_".count))
            try intake.take(ImportRecord(place: ImportPlace(file: file), picture: picture, content: .spine(spine)))
        }
    }

    private static func line(_ bytes: [UInt8]) throws(ImportFault) -> ForeignLine {
        guard let text = bytes.utf8Text else { throw ImportFault("not UTF-8") }
        let parts = text.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
        guard parts.count == 9 else {
            throw ImportFault("\(parts.count) fields; expected eight coordinates and a text, separated by commas")
        }
        let numbers = parts[..<8].compactMap { part in
            Double(part.trimmingCharacters(in: .whitespaces)).flatMap { $0.isFinite ? $0 : nil }
        }
        guard numbers.count == 8, let points = Shape.points(numbers) else {
            throw ImportFault("the first eight fields are not all numbers")
        }
        guard let shape = Shape(points: points, isInReadingOrder: true) else {
            throw ImportFault("the corners have no area")
        }
        return ForeignLine(text: ForeignLine.legible(String(parts[8])), shape: shape)
    }
}
