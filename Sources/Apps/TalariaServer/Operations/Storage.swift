import Foundation
import HTTPTypes
import Synchronization

/// Whether there is room for new jobs, and who has been promised how much of it.
final class Storage: Sendable {
    struct Space: Sendable, Equatable {
        var free: Int
        var size: Int

        /// Creates the state of the disk with this path; nil when it is unavailable.
        init?(path: String) {
            var information = statvfs()
            guard statvfs(path, &information) == 0 else { return nil }
            free = Int(information.f_bavail) * Int(information.f_frsize)
            size = Int(information.f_blocks) * Int(information.f_frsize)
        }

        init(free: Int, size: Int) { (self.free, self.size) = (free, size) }

        /// Bytes available for pictures: the rest is reserved for the database, which must be able to end the open
        /// jobs.
        var forPictures: Int { free - min(64 << 20, size / 10) }
    }

    /// Reservation of room for an upload, until it is given back.
    final class Reservation: Sendable {
        private struct State {
            var promised: Int
            var used = 0
            var isOver = false
        }

        private let storage: Storage
        private let device: String
        private let state: Mutex<State>

        fileprivate init(_ storage: Storage, device: String, bytes: Int) {
            self.storage = storage
            self.device = device
            state = Mutex(State(promised: bytes))
        }

        deinit { release() }

        /// Uses reserved bytes, and reserves more when they are exhausted.
        func use(_ bytes: Int) throws {
            let missing = state.withLock { $0.used + bytes - $0.promised }
            if missing > 0 {
                let more = max(missing, Storage.step)
                try storage.promise(more, to: device)
                state.withLock { $0.promised += more }
            }
            state.withLock { $0.used += bytes }
            storage.wrote(bytes)
        }

        /// Gives everything back; later calls do nothing.
        func release() {
            let (promised, used) = state.withLock { state in
                defer { state.isOver = true }
                return state.isOver ? (0, 0) : (state.promised, state.used)
            }
            if promised > 0 { storage.giveBack(promised, used: used, device: device) }
        }
    }

    private struct State {
        var isFull = false
        /// Reserved bytes of all unfinished uploads, by device.
        var promised: [String: Int] = [:]
        /// Bytes of it that are on the disk already.
        var written = 0
    }

    /// Step in bytes for reserving space of an upload without a length.
    static let step = 1 << 20

    private let state = Mutex(State())
    private let paths: [String]
    private let limits: RequestLimits
    private let space: @Sendable (_ path: String) -> Space?

    init(
        paths: [String],
        limits: RequestLimits,
        space: @escaping @Sendable (_ path: String) -> Space? = { Space(path: $0) }
    ) {
        self.paths = paths
        self.limits = limits
        self.space = space
    }

    /// Whether new jobs can be taken in.
    var hasRoom: Bool { !isFull && free > 0 }

    /// Whether something could not be written, and nothing that large has been since.
    var isFull: Bool { state.withLock(\.isFull) }

    /// Records that the disk is full, or writable again.
    func set(isFull: Bool) { state.withLock { $0.isFull = isFull } }

    /// Promises room to an upload before its body comes.
    ///
    /// - Returns: the reservation.
    /// - Throws: `Problem` with status 429 when the device has too many unfinished uploads, 503 when all have, or when
    ///   the disk is too full.
    func reserve(_ bytes: Int?, for device: String) throws -> Reservation {
        let bytes = max(1, bytes ?? Self.step)
        guard !isFull else { throw Problem.noRoom }
        try promise(bytes, to: device)
        return Reservation(self, device: device, bytes: bytes)
    }

    var promisedBytes: Int { state.withLock { $0.promised.values.reduce(0, +) } }

    private var free: Int { paths.map { space($0)?.forPictures ?? .max }.min() ?? .max }

    private func promise(_ bytes: Int, to device: String) throws {
        let free = free
        try state.withLock { state in
            let own = state.promised[device, default: 0]
            let all = state.promised.values.reduce(0, +)
            guard own + bytes <= limits.unfinishedBytesPerDevice else { throw Problem.tooManyUploads }
            guard all + bytes <= limits.unfinishedBytes else { throw Problem.uploadsFull }
            guard all - state.written + bytes <= free else { throw Problem.noRoom }
            state.promised[device] = own + bytes
        }
    }

    private func wrote(_ bytes: Int) { state.withLock { $0.written += bytes } }

    private func giveBack(_ promised: Int, used: Int, device: String) {
        state.withLock { state in
            let rest = state.promised[device, default: 0] - promised
            state.promised[device] = rest > 0 ? rest : nil
            state.written -= used
        }
    }
}

extension Problem {
    static let noRoom = busy(
        .serviceUnavailable,
        .storageFull,
        "The server has no disk space for this upload; try again later.",
        after: .seconds(10)
    )
    fileprivate static let uploadsFull = busy(
        .serviceUnavailable,
        .tooManyUploads,
        "Too many uploads are unfinished; try again later.",
        after: .seconds(2)
    )
    fileprivate static let tooManyUploads = busy(
        .tooManyRequests,
        .tooManyUploads,
        "This device has too many unfinished uploads; finish one first.",
        after: .seconds(2)
    )
}
