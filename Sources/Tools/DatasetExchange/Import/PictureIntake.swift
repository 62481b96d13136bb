import Basics
import Foundation
import Imaging
import SpineDatasets

/// Intake of pictures into a dataset: checked, without metadata, under names of their own.
struct PictureIntake {
    struct Picture {
        var path: String
        /// Header of the source's file, before the import; for coordinates that refer to stored pixels.
        var header: ImageHeader
    }

    private let output: DatasetOutput
    private let keepsMetadata: Bool
    private var taken: [String: Picture] = [:]
    /// Names in lower case: some file systems ignore case.
    private var names: Set<String> = []
    private(set) var notes: [ImportNote: Int] = [:]

    init(into output: DatasetOutput, keepsMetadata: Bool) {
        self.output = output
        self.keepsMetadata = keepsMetadata
    }

    /// Takes in a file; `source` is its path below the source's folder.
    mutating func take(_ file: URL, source: String, isWriting: Bool) throws(ImportFault) -> Picture {
        if let known = taken[source] { return known }
        let (bytes, header) = try read(file, source)
        let stem = FileName.safe(URL(filePath: source).deletingPathExtension().lastPathComponent)
        let picture = Picture(path: unique(stem: stem, header.format == .png ? "png" : "jpg"), header: header)
        if isWriting {
            do throws(DatasetError) { try output.write(bytes, to: picture.path) } catch {
                throw ImportFault("\(error)")
            }
        }
        taken[source] = picture
        return picture
    }

    private mutating func read(_ file: URL, _ source: String) throws(ImportFault) -> ([UInt8], ImageHeader) {
        let limit = DecodingOptions().maximumBytes
        let size =
            (try? FileManager.default.attributesOfItem(atPath: file.resolvingSymlinksInPath().path))?[.size] as? Int
        guard size ?? 0 <= limit else { throw ImportFault("\(source): more than \(limit >> 20) MiB") }
        guard let data = FileManager.default.contents(atPath: file.path) else {
            throw ImportFault("\(source): cannot be read")
        }
        let bytes = Array(data)
        do {
            // A small scale is enough to know that it decodes to its end; PNG and HEIC know none.
            let options = DecodingOptions(minimumShortSide: 16)
            let decoded = try ImageCodec.decode(bytes, name: source, options: options)
            let isHEIC = decoded.header.format == .heic
            let stripped =
                try isHEIC
                ? ImageCodec.encodeJPEG(decoded.image, quality: 95)
                : ImageCodec.withoutMetadata(bytes, name: source)
            let note = isHEIC ? ImportNote.recoded : keepsMetadata ? .metadataKept : .metadataRemoved
            if stripped != bytes { notes[note, default: 0] += 1 }
            if note == .metadataKept { return (bytes, decoded.header) }
            if try ImageCodec.containsLocation(bytes, name: source) { notes[.locationRemoved, default: 0] += 1 }
            return (stripped, decoded.header)
        } catch {
            throw ImportFault("picture \(error)")
        }
    }

    private mutating func unique(stem: String, _ ending: String) -> String {
        var path = "images/\(stem).\(ending)"
        var number = 2
        while !names.insert(path.lowercased()).inserted {
            path = "images/\(stem)-\(number).\(ending)"
            number += 1
        }
        return path
    }
}

/// Names of files and ids that every system takes.
enum FileName {
    /// Returns letters, digits, `-`, `_` and `.` of a name, others replaced by `-`; "picture" when nothing is left.
    static func safe(_ name: String) -> String {
        let mapped = name.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" }
        let trimmed = String(mapped.drop { $0 == "." || $0 == "-" }.prefix(100))
        return trimmed.isEmpty ? "picture" : trimmed
    }
}
