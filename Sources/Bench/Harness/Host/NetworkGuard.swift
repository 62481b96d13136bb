import CNetworkGuard
import Foundation

/// Guard that blocks a process's network access, so that the kernel proves "nothing leaves the device".
///
/// On Linux a filter of the process itself (seccomp) refuses every socket but those of this machine, and counts the
/// requests. It needs no privilege, holds for all threads and children, and cannot be revoked. Data that another
/// process sends on request over a local socket is not detected.
package struct NetworkGuard: Sendable {
    private init() {}

    /// Closes the network to this process, but for sockets that it has already: to be called first; nil where
    /// impossible.
    ///
    /// `toCommands`: A request fails in the commands that this process starts as in itself, but is not counted.
    package static func close(toCommands: Bool = false) -> NetworkGuard? {
        network_guard_close(toCommands ? 1 : 0) == 0 ? NetworkGuard() : nil
    }

    /// Traffic of the process since then: nothing, with the number of requested sockets.
    package var traffic: Traffic { Traffic(refusedSockets: Int(network_guard_refused())) }
}

/// A system in a process that is kept from the network.
package struct GuardedSystem: SystemUnderTest {
    private let system: any SystemUnderTest
    private let network: NetworkGuard

    package init(_ system: any SystemUnderTest, network: NetworkGuard) {
        (self.system, self.network) = (system, network)
    }

    package func process(_ bytes: [UInt8], name: String, reached: @escaping MilestoneHandler) throws -> Prediction {
        var prediction = try system.process(bytes, name: name, reached: reached)
        prediction.traffic = network.traffic
        return prediction
    }

    package func scanLive(_ request: LiveRequest) throws -> LiveAnswer {
        var answer = try system.scanLive(request)
        for index in answer.readings.indices { answer.readings[index].prediction?.traffic = network.traffic }
        return answer
    }

    package func conclude(_ prediction: inout Prediction) throws {
        try system.conclude(&prediction)
        prediction.traffic = network.traffic
    }
}

package struct Traffic: Sendable, Equatable, Codable {
    /// Information about the user in transferred bytes.
    package enum Content: String, Sendable, Codable, CaseIterable {
        case image
        /// Text read off a spine, and data of its book.
        case text
        /// Identifiers of users, devices and jobs.
        case id
        /// All other bytes: request lines, headers, the framing of messages.
        case control
    }

    /// Bytes sent, by their content: keys as in ``Content``.
    package var up: [String: Int]
    /// Bytes received, likewise.
    package var down: [String: Int]
    /// Bytes sent over the connection after compression, with headers and encryption; nil when it does not count them.
    package var wireUp: Int?
    package var wireDown: Int?
    /// Sockets that a process behind a ``NetworkGuard`` asked for, of which it got none; nil when it may have some.
    package var refusedSockets: Int?

    package init(refusedSockets: Int) {
        self.init(wireUp: 0, wireDown: 0)
        self.refusedSockets = refusedSockets
    }

    package init(up: [String: Int] = [:], down: [String: Int] = [:], wireUp: Int? = nil, wireDown: Int? = nil) {
        (self.up, self.down, self.wireUp, self.wireDown) = (up, down, wireUp, wireDown)
    }

    package var sent: Int { up.values.reduce(0, +) }

    package var received: Int { down.values.reduce(0, +) }
}
