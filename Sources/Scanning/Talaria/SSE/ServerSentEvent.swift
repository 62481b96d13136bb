/// One event of a `text/event-stream`.
public struct ServerSentEvent: Sendable, Hashable {
    /// The type; "message" where the stream does not name one.
    public var name: String
    /// The data, UTF-8, lines parted by line feeds.
    public var data: [UInt8]
    /// The last identity that the stream gave, with this event or before it; empty for none.
    public var id: String

    /// An event.
    public init(name: String = "message", data: [UInt8], id: String = "") {
        self.name = name
        self.data = data
        self.id = id
    }

    /// An event whose data are text.
    public init(name: String = "message", text: String, id: String = "") {
        self.init(name: name, data: Array(text.utf8), id: id)
    }

    /// The data as text; bytes that are no UTF-8 are replaced.
    public var text: String { String(decoding: data, as: UTF8.self) }

    /// The event as a stream has it, with the empty line that ends it.
    ///
    /// A line break or a NUL in the name or the identity would end the field, so neither is written then.
    public func encoded() -> [UInt8] {
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
