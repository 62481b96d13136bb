import Synchronization

/// Counts the bytes of one request and its answer.
public final class TransferMeter: Sendable {
    private let up = Atomic<Int>(0)
    private let down = Atomic<Int>(0)

    /// Creates a meter at zero.
    public init() {}

    /// Bytes that left.
    public var bytesUp: Int { up.load(ordering: .relaxed) }
    /// Bytes received.
    public var bytesDown: Int { down.load(ordering: .relaxed) }

    /// Adds bytes that left.
    public func addUp(_ count: Int) { up.wrappingAdd(count, ordering: .relaxed) }

    /// Adds received bytes.
    public func addDown(_ count: Int) { down.wrappingAdd(count, ordering: .relaxed) }
}
