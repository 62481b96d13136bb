import Dispatch
import Foundation
import Harness

/// The signals that ask a long command to stop.
enum Signals {
    /// Passes the first signal on to `interruption`; the second one ends the process as it would without a handler.
    ///
    /// - Parameters:
    ///   - interruption: What the command looks at.
    ///   - signals: Which ones.
    /// - Returns: The sources, to be kept and cancelled when the command is done.
    static func stop(
        _ interruption: Interruption,
        on signals: [Int32] = [SIGINT, SIGTERM]
    ) -> [any DispatchSourceSignal] {
        let queue = DispatchQueue(label: "signals")
        return signals.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                interruption.stop(signal: number)
                signal(number, SIG_DFL)
            }
            source.resume()
            return source
        }
    }
}
