import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Captures

/// Effect of a server's failures on that server alone, by its scheme, host and port.
@Suite(.endsWhatHangs) struct BreakerTests {
    static let alive: RecordedServer.Answer = .init(body: "<title>Alive</title>", type: "text/html")

    /// Asks for addresses and then for paths of a server, one after the other.
    private func outcomes(
        _ answers: [String: RecordedServer.Answer],
        asking paths: [String],
        first: [String] = [],
        allowsPrivate: Bool = true
    ) async throws -> [ProviderAnswer.Outcome] {
        let recorded = RecordedServer(answers)
        let outcomes = RecordedOutcomes()
        try await recorded.run { base in
            var limits = SafeFetch.Limits()
            limits.allowsPrivate = allowsPrivate
            let enricher = Enricher(
                [LinkProvider(fetch: SafeFetch(limits: limits) { _ in })])
            for address in first + paths.map({ base.appending(path: $0).absoluteString }) {
                var query = EnrichmentQuery(kind: .web, time: Date())
                query.url = URL(string: address)
                for answer in await enricher.enrich(query, onAnswer: { _ in }) { outcomes.add(answer.outcome) }
            }
        }
        return outcomes.all
    }

    /// RFC 9110, 15.5: an answer of 4xx is about the request; so nine such answers switch nothing off.
    @Test(arguments: [400, 401, 403, 404, 410, 418, 429, 451])
    func anAnswerOf4xxIsAnAnswer(status: Int) async throws {
        let answers = ["/gone": RecordedServer.Answer(status: status), "/alive": Self.alive]
        let outcomes = try await outcomes(answers, asking: [String](repeating: "gone", count: 9) + ["alive"])
        #expect(outcomes.last?.title == "Alive")
        #expect(outcomes.dropLast().allSatisfy { $0.isFailure })
    }

    /// Ports 1 to 9 of this machine have no listener, and a name has 63 letters at most (RFC 1035): none is looked
    /// up.
    @Test(arguments: [
        (1...9).map { "http://127.0.0.1:\($0)/" }, (1...9).map { "http://\($0)\(String(repeating: "a", count: 64))/" },
        [String](repeating: "http://127.0.0.1:9/a", count: 9),
        [String](repeating: "http://user:word@127.0.0.1/", count: 9), [String](repeating: "ftp://127.0.0.1/", count: 9),
    ])
    func whatOthersDoSaysNothingOfAServer(others: [String]) async throws {
        let outcomes = try await outcomes(["/alive": Self.alive], asking: ["alive"], first: others)
        #expect(outcomes.last?.title == "Alive")
        #expect(outcomes.count == 10)
    }

    @Test func whatIsRefusedByRuleSaysNothing() async throws {
        let outcomes = try await outcomes([:], asking: [String](repeating: "alive", count: 10), allowsPrivate: false)
        #expect(outcomes.allSatisfy { $0.isFailure })
    }

    /// Eight questions, each of which is asked once and counts three times, switch a server off; seven do not.
    @Test func aServerThatFailsAgainAndAgainIsLeftAlone() async throws {
        let answers = ["/broken": RecordedServer.Answer(status: 500), "/alive": Self.alive]
        let nine = try await outcomes(answers, asking: [String](repeating: "broken", count: 8) + ["alive"])
        #expect(nine.dropLast().allSatisfy { $0.isFailure })
        guard case .skipped(let reason)? = nine.last else {
            Issue.record("it was asked: \(nine)")
            return
        }
        #expect(reason.hasPrefix("127.0.0.1 "))
        let eight = try await outcomes(answers, asking: [String](repeating: "broken", count: 7) + ["alive"])
        #expect(eight.last?.title == "Alive")
        let mended = ["broken", "broken", "alive"]
        let more = try await outcomes(answers, asking: [[String]](repeating: mended, count: 5).flatMap(\.self))
        #expect(more.last?.title == "Alive")
    }

    /// RFC 9110, 10.2.3: a server that names a wait is not asked before that, for any page; without one it is.
    @Test(arguments: [
        (429, "120", true), (503, "120", true), (500, "120", true), (404, "120", false), (429, nil, false),
        (503, nil, false),
    ])
    func aWaitThatIsAskedForIsKept(status: Int, retryAfter: String?, isLeftAlone: Bool) async throws {
        let answers = ["/busy": RecordedServer.Answer(status: status, retryAfter: retryAfter), "/alive": Self.alive]
        let outcomes = try await outcomes(answers, asking: ["busy", "alive"])
        #expect(outcomes.first == .failed("127.0.0.1 answered \(status)"))
        if isLeftAlone {
            guard case .skipped? = outcomes.last else {
                Issue.record("it was asked: \(outcomes)")
                return
            }
        } else {
            #expect(outcomes.last?.title == "Alive")
        }
    }

    /// The server that redirects has succeeded: a later failure is another one's.
    @Test func aRedirectionIsAnAnswerOfItsOwnServer() async throws {
        let answers = [
            "/short": RecordedServer.Answer(status: 302, location: "http://127.0.0.1:9/"), "/alive": Self.alive,
        ]
        let outcomes = try await outcomes(answers, asking: [String](repeating: "short", count: 9) + ["alive"])
        #expect(outcomes.last?.title == "Alive")
    }
}

private final class RecordedOutcomes: Sendable {
    private let kept = Mutex<[ProviderAnswer.Outcome]>([])
    var all: [ProviderAnswer.Outcome] { kept.withLock { $0 } }
    func add(_ outcome: ProviderAnswer.Outcome) { kept.withLock { $0.append(outcome) } }
}

extension ProviderAnswer.Outcome {
    fileprivate var title: String? { if case .answered(let data) = self { data.title } else { nil } }
    fileprivate var isFailure: Bool { if case .failed = self { true } else { false } }
}
