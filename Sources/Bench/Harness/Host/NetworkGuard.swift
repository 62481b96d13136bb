import CNetworkGuard
package import Evaluation
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
