#if os(Linux)
import Synchronization

/// An answer as it arrives: a connection's thread fills it, and one task at a time reads it.
final class Arrival: Sendable {
    struct Head: Sendable {
        var status: Int
        var headers: [(name: String, value: String)] = []
    }

    private struct State {
        var head: Head?
        var bytes: [UInt8] = []
        var end: Result<Void, any Error>?
        /// Whether the connection waits until the bytes are read.
        var isPaused = false
        var hasNews = false
        var reader: CheckedContinuation<Void, Never>?
    }

    /// Bytes that wait for their reader at most, unless one piece has more.
    private static let roomBytes = 256 << 10
    private let state = Mutex(State())

    // MARK: - The connection's side

    func setHead(_ head: Head) { change { $0.head = head } }

    /// Adds bytes.
    ///
    /// - Returns: Whether there was room; else the connection is to pause, and to offer them again.
    func add(_ bytes: UnsafeRawBufferPointer) -> Bool {
        change { state in
            state.isPaused = !state.bytes.isEmpty && state.bytes.count + bytes.count > Self.roomBytes
            if !state.isPaused { state.bytes += bytes }
            return !state.isPaused
        }
    }

    /// Ends the answer; an end that came before counts.
    func finish(_ end: Result<Void, any Error>) { change { $0.end = $0.end ?? end } }

    private func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        let (value, reader) = state.withLock { state in
            let value = body(&state)
            state.hasNews = true
            defer { state.reader = nil }
            return (value, state.reader)
        }
        reader?.resume()
        return value
    }

    // MARK: - The reader's side

    /// Returns the head when it has arrived.
    func head() async throws -> Head {
        try await value { state in
            if let head = state.head { return .success(head) }
            if case .failure(let error) = state.end { return .failure(error) }
            return nil
        }
    }

    /// Reads the next bytes.
    ///
    /// - Parameter resume: Called if the connection waits for this.
    /// - Returns: The bytes; nil at the end.
    /// - Throws: The error that ended the answer.
    func bytes(resume: () -> Void) async throws -> [UInt8]? {
        let (bytes, wasPaused): ([UInt8]?, Bool) = try await value { state in
            guard state.bytes.isEmpty else {
                defer { (state.bytes, state.isPaused) = ([], false) }
                return .success((state.bytes, state.isPaused))
            }
            return state.end.map { $0.map { (nil, false) } }
        }
        if wasPaused { resume() }
        return bytes
    }

    private func value<Value>(_ ready: (inout sending State) -> Result<Value, any Error>?) async throws -> Value {
        while true {
            if let result = state.withLock({
                $0.hasNews = false
                return ready(&$0)
            }) {
                return try result.get()
            }
            await withCheckedContinuation { continuation in
                let hasNews = state.withLock { state in
                    if !state.hasNews { state.reader = continuation }
                    return state.hasNews
                }
                if hasNews { continuation.resume() }
            }
        }
    }
}
#endif
