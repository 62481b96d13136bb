import Dispatch
import Synchronization

/// Results of `work` for 0, 1, … up to `count`, in that order; all cores share the work.
func concurrentMap<Value: Sendable>(_ count: Int, _ work: @Sendable (Int) -> Value) -> [Value] {
    let values = Mutex([Value?](repeating: nil, count: count))
    DispatchQueue.concurrentPerform(iterations: count) { index in
        let value = work(index)
        values.withLock { $0[index] = value }
    }
    return values.withLock { $0.compactMap(\.self) }
}
