internal import Basics
internal import COpenVINO
internal import Foundation
internal import Synchronization

/// Width and height in pixels of the one input of a network.
public struct NetworkShape: Hashable, Sendable, CustomStringConvertible {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// "960x960".
    public var description: String { "\(width)x\(height)" }
}

struct NetworkSource: Sendable {
    /// Name in messages and in those of cached blobs, such as `ppocrv6-small-rec-latin`.
    var name: String
    /// ONNX.
    var file: ModelFile
    var normalization: Normalization
    /// What it is expected to be, in messages.
    var meaning: String
    /// What is counted of its runs, and by which name.
    var counted: (calls: Work, elements: Work, name: String)
    /// Compiles the network once for all shapes.
    ///
    /// That is 20 MB and 80 ms of loading less for each, but a run in another shape than the last takes over a
    /// millisecond longer, and the first in each about 20. The recogniser is then as quick as one of one shape, the
    /// detector slower by a third in any case.
    var takesAnyShape = false
    /// Converts the file's bytes to those for compilation; nil if they are compiled unchanged.
    var adapt: (@Sendable (UnsafeRawBufferPointer) throws -> [UInt8])?
}

/// One network of pictures, compiled once for each requested input shape, or once for any shape, and kept.
///
/// Compiling costs about 0.2 s a shape, loading a cached blob about 0.07 s; with a cache folder, compiled networks
/// are exported there and loaded by later processes.
final class NetworkPool: Sendable {
    private let source: NetworkSource
    private let loader: NetworkLoader
    private let cacheDirectory: String?
    private let places = Mutex<[NetworkShape?: Place]>([:])

    /// The slot of a compiled network.
    private final class Place: Sendable {
        /// Locked during loading.
        let network = Mutex<CompiledNetwork?>(nil)
        let free = Mutex<[LoadedNetwork]>([])
        /// Held during a run of a network that takes any shape: its requests share the memory of their outputs, so that
        /// one must be read before the next begins.
        let turn = NSLock()
        /// The shapes that a network that takes any has run in.
        let seen = Mutex<Set<NetworkShape>>([])
    }

    /// Creates a pool that has compiled nothing yet; without a cache folder every process compiles.
    init(_ source: NetworkSource, loader: NetworkLoader, cacheDirectory: String?) {
        (self.source, self.loader, self.cacheDirectory) = (source, loader, cacheDirectory)
    }

    /// Runs the network once.
    ///
    /// - Parameters:
    ///   - shape: The input's size.
    ///   - fill: Writes the input: `height * width * 3` bytes, R, G, B. The buffer has the content of the last run.
    ///   - read: Takes the first output: its dimensions and its values, row-major. The buffer is lent for the call. Nil
    ///     for one that is not of the expected network.
    /// - Returns: The result of `read`, and the running time of the network alone.
    /// - Throws: ``OpenVINOError``.
    func infer<Output>(
        _ shape: NetworkShape,
        fill: (UnsafeMutableBufferPointer<UInt8>) -> Void,
        read: (_ dimensions: [Int], _ values: UnsafeBufferPointer<Float>) -> Output?
    ) throws -> (output: Output, inferenceTime: Duration) {
        let (place, network) = try network(for: shape)
        if source.takesAnyShape { place.turn.lock() }
        defer { if source.takesAnyShape { place.turn.unlock() } }
        let request = try place.free.withLock { $0.popLast() } ?? LoadedNetwork(network)
        defer { place.free.withLock { $0.append(request) } }
        let input = try request.input(
            0,
            shape: source.takesAnyShape ? [1, Int64(shape.height), Int64(shape.width), 3] : nil
        )
        fill(input.bindMemory(to: UInt8.self))
        WorkMeter.count(source.counted.calls, 1, of: source.counted.name)
        WorkMeter.count(source.counted.elements, 3 * shape.width * shape.height, of: source.counted.name)
        let clock = ContinuousClock()
        let start = clock.now
        try request.infer()
        let inferenceTime = start.duration(to: clock.now)
        // The weights have been repacked for a new shape: the pages that they were read from can be had again.
        if source.takesAnyShape, place.seen.withLock({ $0.insert(shape).inserted }) { network.blob?.dropPages() }
        guard let output = try request.output(read) else {
            throw OpenVINOError.modelUnsuitable(
                path: source.file.path,
                expected: source.meaning,
                found: "another network"
            )
        }
        return (output, inferenceTime)
    }

    /// Runs the network once on nothing, so that the first reading at this shape takes no longer than the others.
    func prepare(_ shape: NetworkShape) throws {
        _ = try infer(shape) {
            $0.update(repeating: 0)
        } read: { _, _ in
            true
        }
    }

    /// Compiles the network for a shape, or loads it from the cache, unless that is done.
    func load(_ shape: NetworkShape) throws { _ = try network(for: shape) }

    /// Callers that need the same one at the same moment wait for each other.
    private func network(for shape: NetworkShape) throws -> (Place, CompiledNetwork) {
        let key = source.takesAnyShape ? nil : shape
        let place = places.withLock { places in
            let place = places[key] ?? Place()
            places[key] = place
            return place
        }
        return try place.network.withLock { network in
            let loaded = try network ?? loaded(key)
            network = loaded
            return (place, loaded)
        }
    }

    private func loaded(_ shape: NetworkShape?) throws -> CompiledNetwork {
        guard let cacheDirectory else { return try compiled(shape) }
        let network = "\(source.name)-\(source.file.fingerprint)-\(shape?.description ?? "any")"
        let version = NetworkLoader.version.replacing("/", with: "_")
        let path = "\(cacheDirectory)/\(network)-\(loader.setting)-\(version).blob"
        // The import refuses a blob of another OpenVINO or another CPU, which is then compiled and written again.
        if let blob = MappedFile.kept(at: path), let network = try? loader.importNetwork(blob, name: source.name) {
            return network
        }
        let compiled = try compiled(shape)
        // Without a cache the network still runs; the next process compiles again.
        guard let blob = MappedFile.keep(at: path, write: compiled.export) else { return compiled }
        // The imported network needs less memory than the one just compiled: its constants stay in the file.
        if let network = try? loader.importNetwork(blob, name: source.name) { return network }
        // OpenVINO writes a part to a full disk, without an error.
        unlink(path)
        return compiled
    }

    private func compiled(_ shape: NetworkShape?) throws -> CompiledNetwork {
        let file = try source.file.mapped().withBytes { bytes in
            let adapted = try source.adapt?(bytes)
            do {
                return try adapted?.withUnsafeBytes { try loader.read($0, name: source.name) }
                    ?? loader.read(bytes, name: source.name)
            } catch {
                throw OpenVINOError.modelUnsuitable(
                    path: source.file.path,
                    expected: "an ONNX file",
                    found: "what OpenVINO cannot read (\(error))"
                )
            }
        }
        try file.reshape([[1, 3, shape?.height, shape?.width]])
        let prepared = try source.normalization.prepared(file.model)
        defer { ov_model_free(prepared) }
        return try loader.compile(prepared, name: source.name)
    }
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
        let times = [status.changedAt, touched].map {
            String(Int($0.tv_sec) * 1_000_000_000 + Int($0.tv_nsec), radix: 36)
        }
        fingerprint = "\(status.st_size)-\(status.st_ino)-\(times.joined(separator: "-"))"
    }

    func mapped() throws(OpenVINOError) -> MappedFile {
        do {
            return try MappedFile(path: path)
        } catch {
            throw .modelUnreadable(path: path, reason: error.systemReason)
        }
    }
}
