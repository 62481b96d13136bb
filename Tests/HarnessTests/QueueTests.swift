import Foundation
import TestSupport
import Testing

@testable import Harness

@Suite(.tags(.unit)) struct QueueTests {
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
        #expect(queue.next() == 1)
        #expect(queue.next() == nil)
    }

    @Test func waitingHasALimit() {
        #expect(BlockingQueue<Int>().next(until: .now) == nil)
    }
}
