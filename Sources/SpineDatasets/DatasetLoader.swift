import Foundation
import ImageCodec

/// Reads a dataset's folder and finds all of its faults in one go.
package struct DatasetLoader: Sendable {
    /// Why a picture's bytes cannot be used, or nil when they can.
    ///
    /// The second argument is what messages call the file.
    package typealias ImageCheck = @Sendable (_ bytes: [UInt8], _ name: String) -> String?

    private let checkImage: ImageCheck

    package init(checkImage: @escaping ImageCheck = DatasetLoader.decodes) {
        self.checkImage = checkImage
    }

    /// The picture decodes from its first to its last pixel.
    package static let decodes: ImageCheck = { bytes, name in
        do {
            _ = try ImageCodec.decode(bytes, name: name, options: DecodingOptions())
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// The dataset in the folder at `path`.
    ///
    /// - Throws: ``DatasetError/faults(path:faults:)`` with every fault, in the order of files and lines.
    package func load(_ path: String) throws(DatasetError) -> Dataset {
        var loading = Loading(path: path, checkImage: checkImage)
        let dataset = loading.run()
        guard loading.faults.isEmpty else { throw .faults(path: path, faults: loading.faults) }
        return dataset
    }
}

/// One loading: what was found so far.
private struct Loading {
    let path: String
    let checkImage: DatasetLoader.ImageCheck
    var faults: [DatasetFault] = []
    /// SHA-256 by path inside the dataset.
    private var digests: [String: String] = [:]
    /// The line that an id stood in first.
    private var lineOfID: [String: Int] = [:]

    init(path: String, checkImage: @escaping DatasetLoader.ImageCheck) {
        self.path = path
        self.checkImage = checkImage
    }

    private func file(_ name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }

    mutating func run() -> Dataset {
        var manifest = DatasetManifest(name: URL(filePath: path).standardizedFileURL.lastPathComponent)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            faults.append(DatasetFault(file: path, message: "not a folder; expected one with samples.jsonl in it"))
            return Dataset(path: path, manifest: manifest, digest: "", samples: [])
        }
        if FileManager.default.fileExists(atPath: file("dataset.json")) { readManifest(into: &manifest) }
        if let unfinished = manifest.unfinished {
            faults.append(DatasetFault(file: file("dataset.json"), message: "the dataset is unfinished: \(unfinished)"))
        }
        let samples = readSamples()
        let listing = digests.sorted { $0.key < $1.key }.map { "\($0.value)  \($0.key)\n" }.joined()
        let digest = "sha256:" + SHA256.hex(of: Array(listing.utf8))
        if faults.isEmpty, let expected = manifest.contentDigest, expected != digest {
            faults.append(
                DatasetFault(
                    file: file("dataset.json"),
                    message:
                        "\"contentDigest\" is \(expected), the files give \(digest): they were changed, so restore "
                        + "them or state a new version and digest"
                )
            )
        }
        return Dataset(path: path, manifest: manifest, digest: digest, samples: samples)
    }

    private mutating func readManifest(into manifest: inout DatasetManifest) {
        do {
            let data = try Data(contentsOf: URL(filePath: file("dataset.json")))
            manifest = try JSONDecoder().decode(DatasetManifest.self, from: data)
        } catch {
            let expected =
                "expected an object with \"name\" and, if known, version, licence, description, contentDigest"
            faults.append(
                DatasetFault(file: file("dataset.json"), message: "\(JSONLine.reason(of: error)); \(expected)")
            )
        }
    }

    private mutating func readSamples() -> [Sample] {
        let file = file("samples.jsonl")
        guard let data = FileManager.default.contents(atPath: file) else {
            faults.append(DatasetFault(file: file, message: "missing or unreadable; expected one JSON object a line"))
            return []
        }
        digests["samples.jsonl"] = SHA256.hex(of: Array(data))
        var samples: [Sample] = []
        for (index, line) in data.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            // The byte order mark that some editors put in front is no part of the JSON.
            let bytes = index == 0 && line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line
            if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
            let (sample, id, messages) = SampleParser.parse(Array(bytes))
            faults += messages.map { DatasetFault(file: file, line: index + 1, message: $0) }
            if let id { checkID(id, line: index + 1, file: file) }
            guard let sample else { continue }
            check(sample, line: index + 1, file: file)
            samples.append(sample)
        }
        if samples.isEmpty && faults.isEmpty {
            faults.append(DatasetFault(file: file, message: "no samples; expected one JSON object a line"))
        }
        return samples
    }

    private mutating func checkID(_ id: String, line: Int, file: String) {
        if let first = lineOfID[id] {
            faults.append(
                DatasetFault(file: file, line: line, message: "id \"\(id)\" was already used in line \(first)")
            )
        } else {
            lineOfID[id] = line
        }
    }

    private mutating func check(_ sample: Sample, line: Int, file: String) {
        guard digests[sample.image] == nil else { return }
        func fault(_ message: String) { faults.append(DatasetFault(file: file, line: line, message: message)) }
        let root = URL(filePath: path).resolvingSymlinksInPath().path
        let image = URL(filePath: self.file(sample.image)).resolvingSymlinksInPath().path
        guard image.hasPrefix(root + "/") else {
            return fault("image \"\(sample.image)\" is a link out of the dataset; expected a file below its folder")
        }
        guard FileManager.default.fileExists(atPath: image) else {
            return fault("image \"\(sample.image)\" does not exist")
        }
        guard let data = FileManager.default.contents(atPath: image) else {
            return fault("image \"\(sample.image)\" cannot be read")
        }
        let bytes = Array(data)
        digests[sample.image] = SHA256.hex(of: bytes)
        if let problem = checkImage(bytes, sample.image) { fault("image \(problem)") }
    }
}
