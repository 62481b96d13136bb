import Evaluation
import Foundation
import ImageCodec
import Raster

@testable import BenchmarkHarness

/// A folder that is gone after the test.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/spinebench-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, _ name: String) throws { try write(Array(text.utf8), name) }

    func write(_ bytes: [UInt8], _ name: String) throws {
        let url = URL(filePath: path + "/" + name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }
}

extension Sample {
    /// A sample of which only the interesting part has to be said.
    static func made(
        _ id: String,
        _ category: SampleCategory = .vertical,
        title: String? = nil,
        author: String? = nil,
        transcription: String? = nil,
        legible: Bool = true,
        group: String? = nil
    ) -> Sample {
        Sample(
            id: id,
            image: "images/\(id).png",
            category: category,
            title: title ?? "Title \(id)",
            author: author,
            transcription: transcription ?? title ?? "Title \(id)",
            orientation: .clockwise,
            group: group,
            legible: legible
        )
    }
}

extension Dataset {
    static func made(_ samples: [Sample], path: String = "/nowhere") -> Dataset {
        Dataset(
            path: path,
            manifest: DatasetManifest(name: "made", version: "1.0", licence: "CC0-1.0"),
            digest: "sha256:00",
            samples: samples
        )
    }
}

/// The smallest picture that decodes.
let tinyPNG: [UInt8] = {
    let image = RasterImage(width: 2, height: 2, channels: 1, filledWith: 128)
    return (try? ImageCodec.encodePNG(image)) ?? []
}()

/// Values that another thread may add to.
final class Collected<Value: Sendable>: @unchecked Sendable {
    // Protected by `lock`.
    private var stored: [Value] = []
    private let lock = NSLock()

    var values: [Value] { lock.withLock { stored } }

    func add(_ value: Value) { lock.withLock { stored.append(value) } }
}
