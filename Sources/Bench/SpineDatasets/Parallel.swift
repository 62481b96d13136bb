import Dispatch
import Foundation
import Synchronization

package enum Parallel {
    /// Returns the results of `work` for 0, 1, … up to `count`, in that order; it runs on all cores.
    package static func map<Value: Sendable>(_ count: Int, _ work: @escaping @Sendable (Int) -> Value) -> [Value] {
        let lanes = ProcessInfo.processInfo.activeProcessorCount
        let state = Mutex((next: 0, values: [Value?](repeating: nil, count: count)))
        let group = DispatchGroup()
        for _ in 0..<min(lanes, count) {
            group.enter()
            let thread = Thread {
                while let index = state.withLock({ state -> Int? in
                    defer { state.next += 1 }
                    return state.next < count ? state.next : nil
                }) {
                    let value = work(index)
                    state.withLock { $0.values[index] = value }
                }
                group.leave()
            }
            // Decoders are used to the first thread's stack.
            thread.stackSize = 8 << 20
            thread.start()
        }
        group.wait()
        return state.withLock { $0.values.compactMap(\.self) }
    }
}
