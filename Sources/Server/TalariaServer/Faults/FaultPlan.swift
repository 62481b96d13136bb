import Basics
import Foundation
import HTTPServer
import HTTPTypes
import Synchronization
import Talaria

/// Plan of deliberate faults: their kinds, frequencies, and seed; only ever from a requested file.
package struct FaultPlan: Sendable, Equatable, Codable {
    /// A fault that only happens or not.
    package struct Chance: Sendable, Equatable, Codable {
        /// 0…1, of a request or a stream.
        package var probability: Double
    }

    /// A fault that takes time.
    package struct Delay: Sendable, Equatable, Codable {
        /// 0…1, of a request.
        package var probability: Double
        package var milliseconds: Int
    }

    /// A stream that breaks.
    package struct Drop: Sendable, Equatable, Codable {
        /// 0…1, of a stream.
        package var probability: Double
        package var afterEvents: Int
    }

    /// An answer with status 429.
    package struct Refusal: Sendable, Equatable, Codable {
        /// 0…1, of a request.
        package var probability: Double
        package var retryAfterSeconds: Int
    }

    /// Seed of the generator: the same requests in the same order meet the same faults.
    package var seed: UInt64
    package var latency: Delay?
    /// Waits between the work and the first byte of the answer.
    package var slowHead: Delay?
    package var serverError: Chance?
    package var rateLimit: Refusal?
    package var drop: Drop?
    /// Chance of an invalid JSON event before each other one.
    package var malformedEvents: Chance?
    package var strippedBooks: Chance?
    package var duplicateEvents: Chance?

    package init(path: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw TalariaServerError.faults(path: path, reason: "it cannot be read")
        }
        guard let keys = (try? JSONSerialization.jsonObject(with: data) as? [String: Any])?.keys.sorted() else {
            throw TalariaServerError.faults(path: path, reason: "it is not valid JSON; expected an object of faults")
        }
        do {
            self = try JSONDecoder().decode(FaultPlan.self, from: data)
        } catch {
            throw TalariaServerError.faults(path: path, reason: error.systemReason)
        }
        let known = Set(CodingKeys.allCases.map(\.rawValue))
        if let unknown = keys.first(where: { !known.contains($0) }) {
            let names = known.sorted().joined(separator: ", ")
            throw TalariaServerError.faults(path: path, reason: "unknown fault '\(unknown)'; expected one of \(names)")
        }
        if let wrong = probabilities.first(where: { !(0...1).contains($0.value) }) {
            throw TalariaServerError.faults(
                path: path,
                reason: "invalid probability \(wrong.value) of '\(wrong.name)': expected 0 to 1"
            )
        }
    }

    package init(seed: UInt64) { self.seed = seed }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case seed, latency, slowHead, serverError, rateLimit, drop, malformedEvents, strippedBooks, duplicateEvents
    }

    /// The faults that are on, with how often each happens.
    package var probabilities: [(name: String, value: Double)] {
        [
            ("latency", latency?.probability), ("slowHead", slowHead?.probability),
            ("serverError", serverError?.probability), ("rateLimit", rateLimit?.probability),
            ("drop", drop?.probability), ("malformedEvents", malformedEvents?.probability),
            ("strippedBooks", strippedBooks?.probability), ("duplicateEvents", duplicateEvents?.probability),
        ].compactMap { name, value in value.map { (name, $0) } }
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

    func happens(_ probability: Double?) -> Bool {
        guard let probability else { return false }
        return draw() < probability
    }

    func streamFaults() -> StreamFaults {
        let plan = plan
        return StreamFaults(
            dropAfter: happens(plan.drop?.probability) ? plan.drop?.afterEvents : nil,
            isMalformed: happens(plan.malformedEvents?.probability),
            isStripped: happens(plan.strippedBooks?.probability),
            isDoubled: happens(plan.duplicateEvents?.probability)
        )
    }

    private func draw() -> Double { state.withLock { $0.random.nextDouble() } }
}

/// Faults of one stream; none by default.
struct StreamFaults: Sendable, Equatable {
    var dropAfter: Int?
    var isMalformed = false
    var isStripped = false
    var isDoubled = false
}

extension TalariaServer {
    /// Answers an API request with the plan's faults; operations pages always answer.
    func withFaults(_ request: Request, _ answer: () async throws -> Response) async throws -> Response {
        guard let faults, request.path.hasPrefix("/v3/") else { return try await answer() }
        let plan = faults.plan
        func delay(_ name: String, _ delay: FaultPlan.Delay?) async throws {
            guard let delay, faults.happens(delay.probability) else { return }
            metrics.fault(name)
            try await clock.sleep(for: .milliseconds(delay.milliseconds))
        }
        try await delay("latency", plan.latency)
        if let refusal = plan.rateLimit, faults.happens(refusal.probability) {
            metrics.fault("rateLimit")
            let wait = Duration.seconds(refusal.retryAfterSeconds)
            throw Problem.busy(.tooManyRequests, .rateLimitExceeded, "An injected fault.", after: wait)
        }
        if faults.happens(plan.serverError?.probability) {
            metrics.fault("serverError")
            throw Problem.busy(.serviceUnavailable, .serviceUnavailable, "An injected fault.")
        }
        let response = try await answer()
        try await delay("slowHead", plan.slowHead)
        return response
    }
}
