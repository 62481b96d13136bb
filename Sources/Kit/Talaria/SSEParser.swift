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
    private var isFirstLine = true
    /// Whether the last byte was a carriage return, so that a line feed right after it ends no other line.
    private var endedWithReturn = false
    private var hasFailed = false

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
        var (rest, events) = (bytes, [ServerSentEvent]())
        while let first = rest.first {
            if endedWithReturn, first == 10 { rest.removeFirst() }
            let end = rest.firstIndex { $0 == 10 || $0 == 13 } ?? rest.endIndex
            guard !hasFailed, line.count + data.count + end - rest.startIndex <= maximumEventBytes else {
                (hasFailed, line, data) = (true, [], [])
                throw .eventTooLarge(limit: maximumEventBytes)
            }
            line += rest[..<end]
            endedWithReturn = end < rest.endIndex && rest[end] == 13
            if end < rest.endIndex { finishLine(&events) }
            rest = rest[end...].dropFirst()
        }
        return events
    }

    private mutating func finishLine(_ events: inout [ServerSentEvent]) {
        // A byte order mark at the very beginning.
        if isFirstLine, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        isFirstLine = false
        defer { line.removeAll(keepingCapacity: line.capacity <= 65_536) }
        guard !line.isEmpty else { return dispatch(&events) }
        let field = line.prefix { $0 != UInt8(ascii: ":") }
        var value = line[field.endIndex...].dropFirst()
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        switch String(decoding: field, as: UTF8.self) {
        case "data": data += value + [10]
        case "event": name = String(decoding: value, as: UTF8.self)
        case "id" where !value.contains(0): pendingID = String(decoding: value, as: UTF8.self)
        case "retry" where value.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains):
            if let milliseconds = Int64(String(decoding: value, as: UTF8.self)) { retry = .milliseconds(milliseconds) }
        default: break
        }
    }

    private mutating func dispatch(_ events: inout [ServerSentEvent]) {
        lastEventID = pendingID
        if !data.isEmpty { events.append(ServerSentEvent(name: name, data: data.dropLast(), id: lastEventID)) }
        (name, data) = ("", [])
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

    package init(name: String = "message", data: some Sequence<UInt8>, id: String = "") {
        (self.name, self.data, self.id) = (name.isEmpty ? "message" : name, Array(data), id)
    }

    package init(name: String = "message", text: String, id: String = "") {
        self.init(name: name, data: text.utf8, id: id)
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
