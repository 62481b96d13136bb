import Talaria

/// Standard's algorithm, word by word and without optimisation: the parser must agree with it.
///
/// Source: WHATWG HTML, section 9.2.6, "Interpreting an event stream".
enum ReferenceParser {
    struct Reading: Equatable {
        var events: [ServerSentEvent] = []
        var lastEventID = ""
        var retry: Duration?
    }

    static func read(_ bytes: [UInt8]) -> Reading {
        var reading = Reading()
        var data: [UInt8] = []
        var name = ""
        var id = ""
        for line in lines(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]) {
            if line.isEmpty {
                reading.lastEventID = id
                if !data.isEmpty {
                    let event = ServerSentEvent(
                        name: name.isEmpty ? "message" : name,
                        data: Array(data.dropLast()),
                        id: id
                    )
                    reading.events.append(event)
                }
                (data, name) = ([], "")
                continue
            }
            let field = line.prefix { $0 != UInt8(ascii: ":") }
            var value = line.dropFirst(field.count + 1)
            if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
            switch String(decoding: field, as: UTF8.self) {
            case "data": data += value + [10]
            case "event": name = String(decoding: value, as: UTF8.self)
            case "id" where !value.contains(0): id = String(decoding: value, as: UTF8.self)
            case "retry":
                let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
                if !value.isEmpty, value.allSatisfy(digits.contains),
                    let milliseconds = Int64(String(decoding: value, as: UTF8.self))
                {
                    reading.retry = .milliseconds(milliseconds)
                }
            default: break
            }
        }
        return reading
    }

    /// Returns the complete lines; the text after the last line end is omitted.
    private static func lines(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = bytes.startIndex
        var index = bytes.startIndex
        while index < bytes.endIndex {
            defer { index += 1 }
            guard bytes[index] == 10 || bytes[index] == 13 else { continue }
            lines.append(bytes[start..<index])
            if bytes[index] == 13, index + 1 < bytes.endIndex, bytes[index + 1] == 10 { index += 1 }
            start = index + 1
        }
        return lines
    }
}
