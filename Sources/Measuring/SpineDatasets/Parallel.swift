import Dispatch
import Synchronization

/// Work shared among all cores.
package enum Parallel {
    /// Results of `work` for 0, 1, … up to `count`, in that order.
    ///
    /// As many run at a time as there are cores, so that memory is bounded by what that many need.
    package static func map<Value: Sendable>(_ count: Int, _ work: @Sendable (Int) -> Value) -> [Value] {
        let values = Mutex([Value?](repeating: nil, count: count))
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let value = work(index)
            values.withLock { $0[index] = value }
        }
        return values.withLock { $0.compactMap(\.self) }
    }
}
