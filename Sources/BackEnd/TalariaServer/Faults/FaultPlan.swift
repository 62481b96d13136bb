import Basics
import Foundation
import Synchronization

/// Plan of faults on purpose: what goes wrong, how often, and with what seed; only ever from a file that was asked for.
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
        /// So many events are sent before.
        package var afterEvents: Int
    }

    /// An answer with status 429.
    package struct Refusal: Sendable, Equatable, Codable {
        /// 0…1, of a request.
        package var probability: Double
        package var retryAfterSeconds: Int
    }

    /// Of the generator: the same requests in the same order meet the same faults.
    package var seed: UInt64
    /// Waits before the request is looked at.
    package var latency: Delay?
    /// Waits between the work and the first byte of the answer.
    package var slowHead: Delay?
    /// Answers with status 503.
    package var serverError: Chance?
    package var rateLimit: Refusal?
    /// Closes the connection in the middle of a stream.
    package var drop: Drop?
    /// Sends an event that is no JSON before each other one.
    package var malformedEvents: Chance?
    /// Leaves the books out of the `completed` event.
    package var strippedBooks: Chance?
    /// Sends each event twice.
    package var duplicateEvents: Chance?

    /// Reads a plan.
    ///
    /// - Parameter path: of a JSON file.
    /// - Throws: `TalariaServerError.faults`, which says what is wrong.
    package init(path: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw TalariaServerError.faults(path: path, reason: "it cannot be read")
        }
        do {
            self = try JSONDecoder().decode(FaultPlan.self, from: data)
        } catch {
            throw TalariaServerError.faults(path: path, reason: "\(error)")
        }
        let known = Set(CodingKeys.allCases.map(\.rawValue))
        let keys = (try? JSONSerialization.jsonObject(with: data) as? [String: Any])?.keys.sorted() ?? []
        if let unknown = keys.first(where: { !known.contains($0) }) {
            let names = known.sorted().joined(separator: ", ")
            throw TalariaServerError.faults(path: path, reason: "there is no fault '\(unknown)'; there are \(names)")
        }
        if let wrong = probabilities.first(where: { !(0...1).contains($0.value) }) {
            throw TalariaServerError.faults(
                path: path,
                reason: "the probability of '\(wrong.name)' is \(wrong.value); expected 0 to 1"
            )
        }
    }

    /// No faults yet.
    ///
    /// - Parameter seed: of the generator.
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

/// Draws faults as a plan says.
final class FaultInjector: Sendable {
    private let state: Mutex<(plan: FaultPlan, random: SplitMix64)>

    init(plan: FaultPlan) { state = Mutex((plan, SplitMix64(state: plan.seed))) }

    /// Plan of the faults; a new one starts with its own seed.
    var plan: FaultPlan {
        get { state.withLock { $0.plan } }
        set { state.withLock { $0 = (newValue, SplitMix64(state: newValue.seed)) } }
    }

    /// - Parameter probability: nil for never.
    /// - Returns: whether it happens this time.
    func happens(_ probability: Double?) -> Bool {
        guard let probability else { return false }
        return draw() < probability
    }

    /// Faults that one stream meets.
    ///
    /// - Returns: drawn anew for each stream.
    func streamFaults() -> StreamFaults {
        let plan = plan
        return StreamFaults(
            dropAfter: happens(plan.drop?.probability) ? plan.drop?.afterEvents : nil,
            isMalformed: happens(plan.malformedEvents?.probability),
            isStripped: happens(plan.strippedBooks?.probability),
            isDoubled: happens(plan.duplicateEvents?.probability)
        )
    }

    /// A number in 0..<1.
    private func draw() -> Double { state.withLock { $0.random.nextDouble() } }
}

/// Faults of one stream; none by default.
struct StreamFaults: Sendable, Equatable {
    /// Events before the connection is closed.
    var dropAfter: Int?
    var isMalformed = false
    var isStripped = false
    var isDoubled = false
}
