internal import Dispatch
internal import Synchronization

/// Returns the results of `work` for 0, 1, … up to `count`, in that order; all cores share the work.
///
/// - Throws: the first error of `work` in that order, when all of it has ended.
package func concurrentMap<Value: Sendable, Failure: Error>(
    _ count: Int,
    _ work: @Sendable (Int) throws(Failure) -> Value
) throws(Failure) -> [Value] {
    let results = Mutex([Result<Value, Failure>?](repeating: nil, count: count))
    let meter = WorkMeter.current
    DispatchQueue.concurrentPerform(iterations: count) { index in
        let result = WorkMeter.$current.withValue(meter) { Result { () throws(Failure) in try work(index) } }
        results.withLock { $0[index] = result }
    }
    var values: [Value] = []
    for case let result? in results.withLock({ $0 }) { values.append(try result.get()) }
    return values
}
