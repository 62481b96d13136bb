internal import Foundation
internal import Synchronization

/// A network before it is compiled.
struct NetworkSource: Sendable {
    /// For messages and for the names of cached blobs, such as `ppocrv6-small-rec-latin`.
    var name: String
    /// The ONNX file.
    var bytes: [UInt8]
    var normalization: Normalization
}

/// One network, compiled once for each input shape that is asked for, or once for any shape, and kept.
///
/// Compiling costs about 0.2 s a shape, taking up a cached blob about 0.07 s; with a cache folder, what has been
/// compiled once is exported there and taken up by later processes.
final class NetworkPool: Sendable {
    private let runtime: OpenVINORuntime
    /// For messages and for the names of cached blobs.
    let name: String
    private let fingerprint: String
    private let source: @Sendable () throws -> NetworkSource
    private let cacheDirectory: String?
    private let takesAnyShape: Bool
    private let networks = Mutex<[NetworkShape?: CompiledNetwork]>([:])

    /// A pool that has compiled nothing yet.
    ///
    /// - Parameters:
    ///   - runtime: Compiles and imports, and says on how many threads.
    ///   - name: For messages and for the names of cached blobs.
    ///   - fingerprint: Tells versions of the same name apart in the cache.
    ///   - cacheDirectory: Where compiled blobs are kept; nil to compile in every process.
    ///   - takesAnyShape: Compiles the network once for all shapes: 15 MB less for each, but a run in another shape than
    ///     the last takes over a millisecond longer, and the first in each about 30.
    ///   - source: Reads the network; called when a shape must be compiled, not when the cache has it.
    init(
        runtime: OpenVINORuntime,
        name: String,
        fingerprint: String,
        cacheDirectory: String?,
        takesAnyShape: Bool = false,
        source: @escaping @Sendable () throws -> NetworkSource
    ) {
        self.runtime = runtime
        self.name = name
        self.fingerprint = fingerprint
        self.cacheDirectory = cacheDirectory
        self.takesAnyShape = takesAnyShape
        self.source = source
    }

    /// The network for `shape`, compiled or taken from the cache when it is asked for the first time.
    ///
    /// Callers that need one at the same moment wait for each other.
    func network(for shape: NetworkShape) throws -> CompiledNetwork {
        let key = takesAnyShape ? nil : shape
        return try networks.withLock { networks in
            if let network = networks[key] { return network }
            let network = try load(key)
            networks[key] = network
            return network
        }
    }

    private func load(_ shape: NetworkShape?) throws -> CompiledNetwork {
        guard let path = blobPath(for: shape) else {
            return try runtime.compile(source(), shape: shape)
        }
        // A blob of another OpenVINO or another CPU is refused by the import and is then compiled and written anew.
        if let blob = MappedFile(path: path), let network = try? runtime.importNetwork(blob, shape: shape) {
            return network
        }
        let compiled = try runtime.compile(source(), shape: shape)
        // Without a cache the network still runs; the next process compiles again.
        let temporary = path + ".\(ProcessInfo.processInfo.processIdentifier).tmp"
        do {
            try compiled.export(to: temporary)
            guard rename(temporary, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            unlink(temporary)
            return compiled
        }
        // The imported network needs less memory than the one just compiled: its constants stay in the file.
        guard let blob = MappedFile(path: path) else { return compiled }
        return try runtime.importNetwork(blob, shape: shape)
    }

    private func blobPath(for shape: NetworkShape?) -> String? {
        guard let cacheDirectory else { return nil }
        do {
            try FileManager.default.createDirectory(atPath: cacheDirectory, withIntermediateDirectories: true)
        } catch {
            return nil
        }
        let execution = runtime.execution
        let setting = "\(execution.threads)t\(execution.streams)s-\(execution.precision ?? "auto")"
        let version = OpenVINORuntime.version.replacing("/", with: "_")
        return "\(cacheDirectory)/\(name)-\(fingerprint)-\(shape?.description ?? "any")-\(setting)-\(version).blob"
    }
}
