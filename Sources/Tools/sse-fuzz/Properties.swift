import Foundation
import Talaria

/// Properties of the parser that hold for any bytes.
enum Properties {
    /// Returns the first that does not hold; nil when all do.
    static func violation(_ bytes: [UInt8], seed: UInt64) -> String? {
        var whole = SSEParser()
        guard let events = try? whole.push(bytes) else { return "refused \(bytes.count) bytes" }
        let reading = ReferenceParser.Reading(events: events, lastEventID: whole.lastEventID, retry: whole.retry)
        guard reading == ReferenceParser.read(bytes) else { return "differs from the reference" }

        var pieces = SSEParser()
        var piecewise: [ServerSentEvent] = []
        var state = seed
        var start = 0
        while start < bytes.count {
            // Knuth's multiplier (MMIX); the high bits are the good ones.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let end = min(bytes.count, start + Int(state >> 60))
            guard let more = try? pieces.push(bytes[start..<end]) else { return "refused in pieces" }
            piecewise += more
            start = end
        }
        guard piecewise == events, pieces.lastEventID == whole.lastEventID, pieces.retry == whole.retry else {
            return "the result differs when read in pieces"
        }

        var narrow = SSEParser(maximumEventBytes: 64)
        for event in (try? narrow.push(bytes)) ?? [] where event.data.count > 64 { return "the limit does not hold" }

        for event in events {
            var again = SSEParser(lastEventID: event.id)
            let written = try? again.push(event.encoded())
            let lines = event.data.map { $0 == 13 ? 10 : $0 }
            guard written?.map(\.data) == [lines] else { return "an event that was written reads differently" }
            // It must return with any result.
            _ = try? ScanEvent(name: event.name, data: Data(event.data))
        }
        return nil
    }
}
