package import Basics
import Foundation
import HTTPServer
import Synchronization
import Talaria

/// Plan of deliberate faults: their kinds, frequencies, and seed; only ever from a requested file.
package struct FaultPlan: Sendable, Equatable {
    package enum Kind: String, Sendable, CodingKey, CaseIterable {
        case latency
        /// A wait between the work and the first byte of the answer.
        case slowHead
        case serverError
        /// An answer with status 429.
        case rateLimit
        /// A stream that breaks.
        case drop
        /// An invalid JSON event before each other one.
        case malformedEvents
        case strippedBooks
        case duplicateEvents
    }

    /// A fault of a kind, with the number that its kind needs.
    package struct Fault: Sendable, Equatable, Decodable, Checked {
        /// 0…1, of a request or a stream.
        package var probability: Double
        package var milliseconds: Int?
        package var retryAfterSeconds: Int?
        package var afterEvents: Int?

        package func check(_ at: Checker) { at["probability"].range(probability, 0...1) }
    }

    /// Seed of the generator: the same requests in the same order meet the same faults.
    package var seed: UInt64
    package var faults: [Kind: Fault] = [:]

    package init(seed: UInt64, faults: [Kind: Fault] = [:]) { (self.seed, self.faults) = (seed, faults) }

    /// - Throws: `Faults` of the file.
    package init(path: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Faults([Basics.Fault(file: path, message: "cannot be read")])
        }
        let faults = FaultCollector(file: path)
        self = try LocatedDecoder.decode(Self.self, from: JSONParser.node(Array(data), faults), faults)
    }

    /// Names of the faults that are on.
    package var names: [String] { Kind.allCases.filter { faults[$0] != nil }.map(\.rawValue) }
}

extension FaultPlan: Decodable, Checked {
    private enum Key: String, CodingKey { case seed }

    package init(from decoder: any Decoder) throws {
        seed = try decoder.container(keyedBy: Key.self).decode(UInt64.self, forKey: .seed)
        let container = try decoder.container(keyedBy: Kind.self)
        for kind in Kind.allCases { faults[kind] = try container.decodeIfPresent(Fault.self, forKey: kind) }
    }

    package func check(_ at: Checker) {
        let numbers: [Kind: String] = [
            .latency: "milliseconds", .slowHead: "milliseconds", .rateLimit: "retryAfterSeconds", .drop: "afterEvents",
        ]
        for (kind, number) in numbers where faults[kind] != nil { at[kind.rawValue].one(of: [number]) }
    }
}

final class FaultInjector: Sendable {
    private let state: Mutex<(plan: FaultPlan, random: SplitMix64)>

    init(plan: FaultPlan) { state = Mutex((plan, SplitMix64(state: plan.seed))) }

    /// Plan of the faults; a new one starts with its own seed.
    var plan: FaultPlan {
        get { state.withLock { $0.plan } }
        set { state.withLock { $0 = (newValue, SplitMix64(state: newValue.seed)) } }
    }

    /// Draws whether a fault happens; nil when it does not.
    func draw(_ kind: FaultPlan.Kind) -> FaultPlan.Fault? {
        state.withLock { state in
            guard let fault = state.plan.faults[kind], state.random.nextDouble() < fault.probability else { return nil }
            return fault
        }
    }

    /// Draws the faults of a stream.
    func streamFaults() -> [FaultPlan.Kind: FaultPlan.Fault] {
        let kinds: [FaultPlan.Kind] = [.drop, .malformedEvents, .strippedBooks, .duplicateEvents]
        return kinds.reduce(into: [:]) { $0[$1] = draw($1) }
    }
}

extension TalariaServer {
    /// Answers an API request with the plan's faults; operations pages always answer.
    func withFaults(_ request: Request, _ answer: () async throws -> Response) async throws -> Response {
        guard let faults, request.path.hasPrefix("/v3/") else { return try await answer() }
        func wait(_ fault: FaultPlan.Fault?) async throws {
            if let milliseconds = fault?.milliseconds { try await clock.sleep(for: .milliseconds(milliseconds)) }
        }
        try await wait(faults.draw(.latency))
        if let fault = faults.draw(.rateLimit) {
            let time = Duration.seconds(fault.retryAfterSeconds ?? 0)
            throw Problem(.rateLimitExceeded, "An injected fault.", retryAfter: time)
        }
        if faults.draw(.serverError) != nil { throw Problem(.serviceUnavailable, "An injected fault.") }
        let response = try await answer()
        try await wait(faults.draw(.slowHead))
        return response
    }
}
