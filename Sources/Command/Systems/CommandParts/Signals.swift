import Dispatch
import Foundation
package import Harness

package enum Signals {
    /// Returns work that SIGINT or SIGTERM stops; the second signal ends the process as it would without a handler.
    package static func interruption() -> Interruption {
        let interruption = Interruption()
        let queue = DispatchQueue(label: "signals")
        for number in [SIGINT, SIGTERM] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                interruption.stop(signal: number)
                signal(number, SIG_DFL)
                // Its own handler retains it, until the process ends.
                withExtendedLifetime(source) {}
            }
            source.resume()
        }
        return interruption
    }
}
