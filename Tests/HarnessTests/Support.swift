import Foundation
import SpineDatasets

/// Values that another thread may add to.
final class Collected<Value: Sendable>: @unchecked Sendable {
    // Protected by `lock`.
    private var stored: [Value] = []
    private let lock = NSLock()

    var values: [Value] { lock.withLock { stored } }

    func add(_ value: Value) { lock.withLock { stored.append(value) } }
}
