internal import Basics
internal import Foundation
internal import Synchronization

struct NetworkSource: Sendable {
    /// Name in messages and in those of cached blobs, such as `ppocrv6-small-rec-latin`.
    var name: String
    /// ONNX.
    var file: ModelFile
    var normalization: Normalization
    /// Compiles the network once for all shapes.
    ///
    /// That is 20 MB and 80 ms of loading less for each, but a run in another shape than the last takes over a
    /// millisecond longer, and the first in each about 20. The recogniser is then as quick as one of one shape, the
    /// detector slower by a third in any case.
    var takesAnyShape = false
    /// Converts the file's bytes to those for compilation; nil if they are compiled unchanged.
    var adapt: (@Sendable (UnsafeRawBufferPointer) throws -> [UInt8])?
}

/// One network, compiled once for each requested input shape, or once for any shape, and kept.
///
/// Compiling costs about 0.2 s a shape, loading a cached blob about 0.07 s; with a cache folder, compiled networks
/// are exported there and loaded by later processes.
final class NetworkPool: Sendable {
    let source: NetworkSource
    private let runtime: OpenVINORuntime
    private let cacheDirectory: String?
    private let networks = Mutex<[NetworkShape?: Place]>([:])

    /// The slot of a loaded network; locked during loading.
    private final class Place: Sendable {
        let network = Mutex<CompiledNetwork?>(nil)
    }

    /// Creates a pool that has compiled nothing yet; without a cache folder every process compiles.
    init(_ source: NetworkSource, runtime: OpenVINORuntime, cacheDirectory: String?) {
        (self.source, self.runtime, self.cacheDirectory) = (source, runtime, cacheDirectory)
    }

    /// Returns the fault of a file that holds another network than `expected`.
    func unsuitable(_ expected: String) -> OpenVINOError {
        .modelUnsuitable(path: source.file.path, expected: expected, found: "another network")
    }

    /// Returns the network for `shape`, compiled or loaded from the cache at its first request.
    ///
    /// Callers that need the same one at the same moment wait for each other.
    func network(for shape: NetworkShape) throws -> CompiledNetwork {
        let key = source.takesAnyShape ? nil : shape
        let place = networks.withLock { networks in
            let place = networks[key] ?? Place()
            networks[key] = place
            return place
        }
        return try place.network.withLock { network in
            if let network { return network }
            let loaded = try load(key)
            network = loaded
            return loaded
        }
    }

    private func load(_ shape: NetworkShape?) throws -> CompiledNetwork {
        guard let path = blobPath(for: shape) else { return try runtime.compile(source, shape: shape) }
        // The import refuses a blob of another OpenVINO or another CPU, which is then compiled and written again.
        if let blob = MappedFile.kept(at: path), let network = try? runtime.importNetwork(blob, shape: shape) {
            return network
        }
        let compiled = try runtime.compile(source, shape: shape)
        // Without a cache the network still runs; the next process compiles again.
        guard let blob = MappedFile.keep(at: path, write: compiled.export) else { return compiled }
        // The imported network needs less memory than the one just compiled: its constants stay in the file.
        if let network = try? runtime.importNetwork(blob, shape: shape) { return network }
        // OpenVINO writes a part to a full disk, without an error.
        unlink(path)
        return compiled
    }

    private func blobPath(for shape: NetworkShape?) -> String? {
        guard let cacheDirectory else { return nil }
        let execution = runtime.execution
        let setting = "\(execution.threads)t-\(execution.precision ?? "auto")"
        let version = OpenVINORuntime.version.replacing("/", with: "_")
        let network = "\(source.name)-\(source.file.fingerprint)-\(shape?.description ?? "any")"
        return "\(cacheDirectory)/\(network)-\(setting)-\(version).blob"
    }
}

/// Times of the same inference in each precision on this machine.
///
/// A processor may know bf16 and yet be slower in it: without AMX, converting to and from it costs more than it saves.
package struct PrecisionTimings: Sendable, Equatable, Codable {
    /// The least time that one precision took.
    package struct Timing: Sendable, Equatable, Codable {
        package var precision: InferencePrecision
        /// Milliseconds for a spine with two lines of text; 0 if there was nothing to compare with.
        package var milliseconds: Double
    }

    /// Timings in the order of the request; never empty.
    package let all: [Timing]
    /// Time of the measurement, as ISO 8601: maybe by an earlier process.
    package let date: String

    /// Quickest precision: f32, unless another takes a twentieth less, as equal speed is not worth the lost digits.
    package var quickest: InferencePrecision {
        let f32 = all.first { $0.precision == .f32 }?.milliseconds ?? .infinity
        let best = all.min { $0.milliseconds < $1.milliseconds }
        guard let best, best.milliseconds < 0.95 * f32 else { return .f32 }
        return best.precision
    }

    /// Returns the shortest time of each precision, measured in turns, or the timings stored in `cache`.
    ///
    /// A single precision is not timed. `prepare` prepares one and returns a function that runs it once and returns
    /// the time of the networks; without a cache they are timed again.
    static func taken(
        among precisions: [InferencePrecision],
        cache: String?,
        prepare: (InferencePrecision) throws -> () throws -> Duration
    ) throws -> PrecisionTimings {
        if precisions.count < 2 {
            return PrecisionTimings(all: precisions.map { Timing(precision: $0, milliseconds: 0) }, date: "")
        }
        if let cache, let bytes = FileManager.default.contents(atPath: cache),
            let kept = try? JSONDecoder().decode(Self.self, from: bytes), kept.all.map(\.precision) == precisions,
            kept.all.allSatisfy({ $0.milliseconds > 0 })
        {
            return kept
        }
        let runs = try precisions.map(prepare)
        var least = precisions.map { _ in Duration.seconds(3600) }
        for round in 0..<rounds {
            for (index, run) in runs.enumerated() {
                let duration = try run()
                // The first run takes memory that the later ones have.
                if round > 0 { least[index] = min(least[index], duration) }
            }
        }
        let timings = PrecisionTimings(
            all: zip(precisions, least).map { Timing(precision: $0, milliseconds: $1 / .milliseconds(1)) },
            date: Date.now.formatted(.iso8601)
        )
        // Without a cache the next process times them again.
        if let cache { try? JSONEncoder().encode(timings).write(to: URL(fileURLWithPath: cache), options: .atomic) }
        return timings
    }

    /// Eight are enough for the least of each to differ by a few percent at most from the least of many.
    private static let rounds = 8
}

struct ModelFile: Sendable {
    var path: String
    /// Size, place and times of change, which distinguish an old cached blob from a current one: the time of the last
    /// change of any kind cannot be set back.
    var fingerprint: String

    init(path: String) throws(OpenVINOError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw .modelUnreadable(path: path, reason: String(cString: strerror(errno)))
        }
        self.path = path
        #if canImport(Darwin)
        let touched = status.st_ctimespec
        #else
        let touched = status.st_ctim
        #endif
        var hash = FNV1a()
        for part in [
            Int(status.st_ino), Int(status.changedAt.tv_sec), Int(status.changedAt.tv_nsec), Int(touched.tv_sec),
            Int(touched.tv_nsec),
        ] {
            hash.append(word: UInt64(bitPattern: Int64(part)))
        }
        fingerprint = "\(status.st_size)-\(String(hash.value, radix: 16))"
    }

    func mapped() throws(OpenVINOError) -> MappedFile {
        do {
            return try MappedFile(path: path)
        } catch {
            throw .modelUnreadable(path: path, reason: error.systemReason)
        }
    }
}
