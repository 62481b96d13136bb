import Dispatch
import Foundation
package import Harness

package enum Signals {
    /// Returns work that SIGINT or SIGTERM stops; the second signal ends the process as it would without a handler.
    package static func interruption() -> Interruption {
        let interruption = Interruption()
        let queue = DispatchQueue(label: "signals")
        for number in [SIGINT, SIGTERM] {
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                interruption.stop(signal: number)
                signal(number, SIG_DFL)
                // Its own handler retains it, until the process ends.
                withExtendedLifetime(source) {}
            }
            // Until it is registered, which another thread does, a signal ends the process.
            let registered = DispatchSemaphore(value: 0)
            source.setRegistrationHandler {
                #if canImport(Darwin)
                signal(number, SIG_IGN)
                #endif
                registered.signal()
            }
            source.resume()
            registered.wait()
        }
        return interruption
    }
}
