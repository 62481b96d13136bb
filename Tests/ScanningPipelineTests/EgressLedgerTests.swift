import BookCatalogue
import Foundation
import Synchronization
import Testing

@testable import ScanningPipeline
@testable import Talaria

@Suite struct EgressLedgerTests {
    private func transfer(
        _ endpoint: Transfer.Endpoint,
        _ content: Transfer.ContentClass,
        up: Int,
        down: Int = 5
    ) -> Transfer {
        Transfer(
            endpoint: endpoint,
            host: "talaria.example",
            contentClass: content,
            bytesUp: up,
            bytesDown: down,
            at: Date(timeIntervalSince1970: 0)
        )
    }

    @Test func bytesAreCountedByWhatIsInThem() {
        let ledger = EgressLedger()
        #expect(ledger.totals().isLocal && ledger.badge == "🔒 Processing Locally")
        ledger.note(transfer(.upload, .image, up: 1_000))
        ledger.note(transfer(.stream, .id, up: 30))
        ledger.note(transfer(.enrich, .text, up: 70))
        ledger.note(transfer(.status, .id, up: 20))
        let totals = ledger.totals()
        #expect(totals.bytesUp == [.image: 1_000, .id: 50, .text: 70] && totals.allBytesUp == 1_120)
        #expect(totals.requests == 4 && totals.bytesDown == 20)
        #expect(ledger.badge == nil)
        #expect(ledger.all.map(\.tier) == [.upload, .upload, .enrich, .upload])
    }

    @Test func aRequestThatNeverLeftIsLocal() {
        let ledger = EgressLedger()
        ledger.note(transfer(.enrich, .text, up: 0, down: 0))
        #expect(ledger.totals().isLocal && ledger.totals().requests == 1)
    }

    @Test func eachScanHasItsOwnBytes() async {
        let ledger = EgressLedger()
        let ids = [UUID(), UUID()]
        await withTaskGroup { group in
            for (index, id) in ids.enumerated() {
                group.addTask {
                    await EgressLedger.$scan.withValue(id) {
                        // A child task's requests are the scan's as well.
                        async let noted: Void = ledger.note(transfer(.enrich, .text, up: 10 * (index + 1)))
                        await noted
                    }
                }
            }
        }
        #expect(ids.map { ledger.totals(of: $0).allBytesUp } == [10, 20])
        #expect(ledger.totals().allBytesUp == 30)
    }

    @Test func aLineOfTheLog() throws {
        let lines = Mutex<[String]>([])
        let ledger = EgressLedger { entry in lines.withLock { $0.append((try? EgressLedger.line(entry)) ?? "") } }
        ledger.note(transfer(.enrich, .text, up: 70))
        let expected =
            #"{"at":"1970-01-01T00:00:00Z","bytesDown":5,"bytesUp":70,"contentClass":"text","endpoint":"enrich","#
            + #""host":"talaria.example","tier":"enrich"}"#
        #expect(lines.withLock { $0 } == [expected])
    }
}
