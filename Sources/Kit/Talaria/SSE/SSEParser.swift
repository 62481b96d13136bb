import Foundation

/// Parses a `text/event-stream` incrementally, in pieces of any size.
///
/// It stores no more than one unfinished event, and refuses one that exceeds the maximum size.
///
/// Source: WHATWG HTML, section 9.2.6, "Interpreting an event stream".
package struct SSEParser: Sendable {
    /// Last event ID of the stream; the value of `Last-Event-ID` on a reconnect.
    package private(set) var lastEventID: String
    /// Wait before a reconnect, as requested by the server; nil without a request.
    package private(set) var retry: Duration?

    private let maximumEventBytes: Int
    /// Beginning of an unfinished line.
    private var line: [UInt8] = []
    /// The data of the event so far, a line feed after each line.
    private var data: [UInt8] = []
    private var name = ""
    private var pendingID: String
    /// Whether the last byte was a carriage return, so that a line feed right after it ends no other line.
    private var endedWithReturn = false
    /// Bytes of a byte order mark that were seen at the very beginning; nil when that is past.
    private var markSeen: Int? = 0
    private var hasFailed = false

    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    package init(lastEventID: String = "", maximumEventBytes: Int = 4 << 20) {
        self.lastEventID = lastEventID
        pendingID = lastEventID
        self.maximumEventBytes = maximumEventBytes
    }

    package mutating func push(_ bytes: [UInt8]) throws(TalariaError) -> [ServerSentEvent] { try push(bytes[...]) }

    /// Parses the next bytes, and returns the events that they complete.
    ///
    /// An event that is incomplete at the end of the stream is dropped.
    ///
    /// - Throws: `TalariaError.eventTooLarge`, then and for all bytes after it.
    package mutating func push(_ bytes: ArraySlice<UInt8>) throws(TalariaError) -> [ServerSentEvent] {
        guard !hasFailed else { throw .eventTooLarge(limit: maximumEventBytes) }
        var events: [ServerSentEvent] = []
        bytes.withUnsafeBytes { raw in
            scan(UnsafeRawBufferPointer(rebasing: raw[skipMark(raw)...]), &events)
        }
        if hasFailed { throw .eventTooLarge(limit: maximumEventBytes) }
        return events
    }

    /// Skips a byte order mark at the very beginning, even in pieces; returns the number of its bytes.
    private mutating func skipMark(_ raw: UnsafeRawBufferPointer) -> Int {
        guard var seen = markSeen else { return 0 }
        for (offset, byte) in raw.enumerated() {
            guard byte == Self.mark[seen] else {
                // Not a mark: the bytes taken for its beginning in earlier pieces begin a line.
                line = Array(Self.mark[..<(seen - offset)])
                markSeen = nil
                return 0
            }
            seen += 1
            if seen == Self.mark.count {
                markSeen = nil
                return offset + 1
            }
        }
        markSeen = seen
        return raw.count
    }

    private mutating func scan(_ raw: UnsafeRawBufferPointer, _ events: inout [ServerSentEvent]) {
        guard let base = raw.baseAddress, !raw.isEmpty else { return }
        var position = 0
        if endedWithReturn {
            endedWithReturn = false
            if raw[0] == 10 { position = 1 }
        }
        // Positions of the next of each, so that a stream without carriage returns is not searched for them line by
        // line.
        var nextReturn = find(13, base, position, raw.count)
        while position < raw.count {
            if nextReturn < position { nextReturn = find(13, base, position, raw.count) }
            let nextFeed = find(10, base, position, min(nextReturn, raw.count))
            let end = min(nextFeed, nextReturn)
            let piece = UnsafeRawBufferPointer(rebasing: raw[position..<min(end, raw.count)])
            guard end < raw.count else {
                keep(piece)
                return
            }
            finishLine(piece, &events)
            if hasFailed { return }
            position = end + 1
            if raw[end] == 13 {
                if position == raw.count { endedWithReturn = true } else if raw[position] == 10 { position += 1 }
            }
        }
    }

    /// Returns the next position of `byte` in `start..<end`; `end` without one.
    private func find(_ byte: Int32, _ base: UnsafeRawPointer, _ start: Int, _ end: Int) -> Int {
        guard start < end, let found = memchr(base + start, byte, end - start) else { return end }
        return UnsafeRawPointer(found) - base
    }

    private mutating func keep(_ piece: UnsafeRawBufferPointer) {
        guard line.count + data.count + piece.count <= maximumEventBytes else { return fail() }
        line.append(contentsOf: piece)
    }

    private mutating func fail() {
        hasFailed = true
        (line, data) = ([], [])
    }

    private mutating func finishLine(_ piece: UnsafeRawBufferPointer, _ events: inout [ServerSentEvent]) {
        guard line.count + data.count + piece.count <= maximumEventBytes else { return fail() }
        guard !line.isEmpty else { return interpret(piece, &events) }
        line.append(contentsOf: piece)
        // Moved out of self, because its reader changes self.
        var whole: [UInt8] = []
        swap(&whole, &line)
        whole.withUnsafeBytes { interpret($0, &events) }
        whole.removeAll(keepingCapacity: whole.capacity <= 65_536)
        swap(&whole, &line)
    }

    private mutating func interpret(_ line: UnsafeRawBufferPointer, _ events: inout [ServerSentEvent]) {
        guard let base = line.baseAddress, !line.isEmpty else { return dispatch(&events) }
        let colon = find(58, base, 0, line.count)
        var start = min(colon + 1, line.count)
        if start < line.count, line[start] == 32 { start += 1 }
        let value = UnsafeRawBufferPointer(rebasing: line[start...])
        // Length first: most lines are data, and no name is converted to a String.
        switch (colon, line[0]) {
        case (4, 0x64) where isField("data", line):
            // Most events have one line of data: room for it and its line feed at once, not twice.
            if data.isEmpty { data.reserveCapacity(value.count + 1) }
            data.append(contentsOf: value)
            data.append(10)
        case (5, 0x65) where isField("event", line): name = String(decoding: value, as: UTF8.self)
        case (2, 0x69) where isField("id", line) && !value.contains(0):
            pendingID = String(decoding: value, as: UTF8.self)
        case (5, 0x72) where isField("retry", line):
            if !value.isEmpty, value.allSatisfy({ (48...57).contains($0) }),
                let milliseconds = Int64(String(decoding: value, as: UTF8.self))
            {
                retry = .milliseconds(milliseconds)
            }
        default: break
        }
    }

    private func isField(_ name: StaticString, _ line: UnsafeRawBufferPointer) -> Bool {
        guard let base = line.baseAddress, line.count >= name.utf8CodeUnitCount else { return false }
        return memcmp(base, name.utf8Start, name.utf8CodeUnitCount) == 0
    }

    private mutating func dispatch(_ events: inout [ServerSentEvent]) {
        lastEventID = pendingID
        defer { name = "" }
        guard !data.isEmpty else { return }
        data.removeLast()
        events.append(ServerSentEvent(name: name.isEmpty ? "message" : name, data: data, id: lastEventID))
        data = []
    }
}

/// One event of a `text/event-stream`.
package struct ServerSentEvent: Sendable, Hashable {
    /// The type; "message" where the stream does not name one.
    package var name: String
    /// The data, UTF-8, lines parted by line feeds.
    package var data: [UInt8]
    /// The last identity that the stream gave, with this event or before it; empty for none.
    package var id: String

    package init(name: String = "message", data: [UInt8], id: String = "") {
        (self.name, self.data, self.id) = (name, data, id)
    }

    package init(name: String = "message", text: String, id: String = "") {
        self.init(name: name, data: Array(text.utf8), id: id)
    }

    /// Data as text; invalid UTF-8 is replaced.
    package var text: String { String(decoding: data, as: UTF8.self) }

    /// Returns the event as a stream has it, with the empty line that ends it.
    ///
    /// A line break or a NUL in the name or the identity would end the field, so neither is written then.
    package func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        let isOneLine = { (text: String) in text.utf8.allSatisfy { $0 != 10 && $0 != 13 && $0 != 0 } }
        if !id.isEmpty, isOneLine(id) { bytes += "id: \(id)\n".utf8 }
        if name != "message", isOneLine(name) { bytes += "event: \(name)\n".utf8 }
        // A reader takes a carriage return for the end of a line too, so none survives as such.
        let lines = data.split(omittingEmptySubsequences: false) { $0 == 10 || $0 == 13 }
        for line in lines {
            bytes += "data: ".utf8
            bytes += line
            bytes.append(10)
        }
        bytes.append(10)
        return bytes
    }
}
