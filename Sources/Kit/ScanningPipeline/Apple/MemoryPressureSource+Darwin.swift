#if canImport(Darwin)
import Dispatch
import Synchronization

/// Detects whether this device is short of memory.
///
/// The same notice that UIKit passes on as a memory warning; it comes without UIKit, on macOS too.
public final class MemoryPressureSource: Sendable {
    private let state = State()
    private let source: any DispatchSourceMemoryPressure

    private final class State: Sendable {
        let hasWarning = Mutex(false)
    }

    /// Listens from now on.
    public init() {
        let source = DispatchSource.makeMemoryPressureSource(eventMask: [.normal, .warning, .critical])
        source.setEventHandler { [state] in
            let event = source.data
            state.hasWarning.withLock { $0 = event.contains(.warning) || event.contains(.critical) }
        }
        source.activate()
        self.source = source
    }

    deinit { source.cancel() }

    /// Whether models should go.
    public var hasWarning: Bool { state.hasWarning.withLock { $0 } }
}
#endif
