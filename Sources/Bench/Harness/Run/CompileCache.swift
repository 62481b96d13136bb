package import Basics
import Foundation

/// Cache of compiled networks for this machine, which is filled before all measurements.
///
/// A process that compiles uses more memory and starts later than one with a full cache; the latter is measured.
package struct CompileCache: Sendable {
    /// Key of a variant's compiled networks, equal for variants that compile the same; nil for one that compiles
    /// nothing.
    private let key: @Sendable (Variant) -> String?
    /// Number of compiled networks in the cache; nil when it cannot hold any.
    private let count: @Sendable () -> Int?

    package static let none = CompileCache(key: { _ in nil }, count: { nil })

    package init(key: @escaping @Sendable (Variant) -> String?, count: @escaping @Sendable () -> Int?) {
        (self.key, self.count) = (key, count)
    }

    /// Returns whether a variant's process compiles anything.
    package func holds(_ variant: Variant) -> Bool { key(variant) != nil }

    /// Has a process of each kind load everything and end; a lost worker is reported by its measurement later.
    func fill(
        _ launches: [(measurement: Measurement, command: WorkerLaunch)],
        _ configuration: RunConfiguration,
        _ setup: RunSetup
    ) throws {
        var configuration = configuration
        // Compiling all networks takes longer than reading a picture.
        configuration.sampleTimeoutSeconds = max(
            configuration.sampleTimeoutSeconds,
            configuration.startTimeoutSeconds
        )
        var kinds: [(key: [String], measurements: [Measurement], command: WorkerLaunch)] = []
        for (measurement, command) in launches {
            guard let key = key(measurement.variant).map({ [command.executable, $0] }) else { continue }
            if let index = kinds.firstIndex(where: { $0.key == key }) {
                kinds[index].measurements.append(measurement)
            } else {
                kinds.append((key, [measurement], command))
            }
        }
        for kind in kinds {
            try setup.interruption.check()
            let before = count()
            let session = try WorkerSession(kind.measurements[0], kind.command, configuration, setup) { _ in }
            defer { session.end() }
            do {
                _ = try session.awaitReady()
                _ = try session.begin()
            } catch is LostWorker {
                continue
            }
            let milliseconds = session.sinceStartMilliseconds
            session.finish()
            let fill = CacheFill(
                measurements: kind.measurements.map(\.id),
                before: before,
                added: before.flatMap { before in count().map { max(0, $0 - before) } },
                milliseconds: milliseconds
            )
            try setup.folder.append(RunEvent(kind: .cacheFilled, cacheFill: fill))
        }
    }
}

/// Contents of the compile cache that a process found and added, before the measurements.
package struct CacheFill: Sendable, Equatable, Codable {
    /// Ids of the measurements whose workers compile the same.
    package var measurements: [String]
    /// Compiled networks in the cache before, of any system; nil where none can be stored.
    package var before: Int?
    /// Networks that the process compiled and stored.
    package var added: Int?
    /// Time from just before the process was started until everything was loaded.
    package var milliseconds: Double

    /// Whether it left nothing behind where nothing was: the next process compiles all of it again.
    package var keepsNothing: Bool { (before ?? 0) + (added ?? 0) == 0 }

    /// The start of a process that has to compile all of its networks, in milliseconds; absent when some may have
    /// been there.
    package var firstStart: Figure {
        guard !keepsNothing, let before, let added else { return .absent("compiled networks cannot be cached here") }
        if added == 0 { return .absent("compiled networks were already cached") }
        // Whose the kept ones are is not known, and variants share networks.
        guard before == 0 else {
            return .absent("it compiled \(added), and may have reused some of the \(before) cached ones")
        }
        return .value(milliseconds)
    }
}
