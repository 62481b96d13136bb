import Foundation
import Testing

@testable import Harness

@Suite struct QueueTests {
    @Test func linesAreCutWhereverThePiecesEnd() {
        var splitter = LineSplitter()
        #expect(splitter.take(Data("on".utf8)) == [])
        #expect(splitter.take(Data("e\ntwo\n\nth".utf8)) == [Array("one".utf8), Array("two".utf8), []])
        #expect(splitter.finish() == Array("th".utf8))
        #expect(splitter.finish() == nil)
    }

    @Test func aClosedQueueGivesWhatIsLeft() {
        let queue = BlockingQueue<Int>()
        queue.push(1)
        queue.close()
        queue.push(2)
        guard case .element(1) = queue.next(), case .closed = queue.next() else {
            Issue.record("expected 1, then the end")
            return
        }
    }

    @Test func waitingHasALimit() {
        guard case .timedOut = BlockingQueue<Int>().next(until: .now) else {
            Issue.record("expected to wait in vain")
            return
        }
    }
}
