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
                let type = name.isEmpty ? "message" : name
                let event = ServerSentEvent(name: type, data: Array(data.dropLast()), id: id)
                if !data.isEmpty { reading.events.append(event) }
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
                // Int64 would take a sign, too.
                let digits = value.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
                let number = Int64(String(decoding: value, as: UTF8.self))
                if digits, let number { reading.retry = .milliseconds(number) }
            default: break
            }
        }
        return reading
    }

    /// Returns the complete lines; the text after the last line end is omitted.
    private static func lines(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var text: [UInt8] = []
        for (previous, byte) in zip([0] + bytes, bytes) where previous != 13 || byte != 10 {
            text.append(byte == 13 ? 10 : byte)
        }
        return text.split(separator: 10, omittingEmptySubsequences: false).dropLast()
    }
}
