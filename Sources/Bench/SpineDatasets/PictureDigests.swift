import Basics
import Foundation

/// SHA-256 of pictures of a dataset, as `sha256sum` lists them: the partial results of checks of its parts.
package struct PictureDigests: Sendable, Equatable {
    /// 64 hexadecimal digits, by the picture's path in the dataset.
    package private(set) var byPath: [String: String]

    package init(_ byPath: [String: String] = [:]) { self.byPath = byPath }

    /// Lines of digest, two spaces and path, by path: `sha256sum --check` takes them.
    package var text: String { Self.lines(byPath) }

    private static func lines(_ digests: [String: String]) -> String {
        digests.sorted { $0.key < $1.key }.map { "\($0.value)  \($0.key)\n" }.joined()
    }

    package mutating func add(listing path: String) throws(DatasetError) {
        var problem: (line: Int, text: String)?
        var listed = byPath
        try DatasetError.reading(path) {
            for (number, bytes) in try LineFile.lines(of: path) {
                let text = String(decoding: bytes, as: UTF8.self)
                guard let match = text.wholeMatch(of: /([0-9a-f]{64})  (.+)/) else {
                    problem = problem ?? (number, "is not a line of SHA-256, two spaces and a picture's path")
                    continue
                }
                if listed.updateValue(String(match.1), forKey: String(match.2)) != nil {
                    problem = problem ?? (number, "\(match.2) is listed twice: specify each part once")
                }
            }
        }
        if let problem { throw .fault(problem.text, in: path, line: problem.line) }
        byPath = listed
    }

    /// Checks that the pictures are those that a folder's labels name.
    package func check(_ folder: String) throws(DatasetError) {
        let labels = Labels(of: folder, try PictureStore(folder))
        if !labels.faults.isEmpty { throw .faults(path: folder, labels.faults) }
        let named = Set(labels.samples.map(\.record.image) + labels.shelves.map(\.record.image))
        if let missing = named.subtracting(byPath.keys).min() {
            throw .operation(
                path: folder,
                problem: "\(missing) is missing in all listings; specify the digests of all parts"
            )
        }
        if let stranger = Set(byPath.keys).subtracting(named).min() {
            throw .operation(path: folder, problem: "\(stranger) is listed, but has no label")
        }
    }

    /// Returns the digest of a dataset: SHA-256 of the lines of its pictures and label files.
    package func contentDigest(withLabelsOf folder: String) throws(DatasetError) -> String {
        var digests = byPath
        for name in [Labels.samplesFile, Labels.shelvesFile] {
            let path = "\(folder)/\(name)"
            guard FileManager.default.fileExists(atPath: path) else { continue }
            digests[name] = try DatasetError.reading(path) { try SHA256.hex(ofFile: path) }
        }
        if digests.count == byPath.count {
            throw .operation(path: folder, problem: "has no labels: no \(Labels.samplesFile)")
        }
        return "sha256:" + SHA256.hex(of: Array(Self.lines(digests).utf8))
    }
}
