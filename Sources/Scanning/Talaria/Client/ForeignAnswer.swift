import Foundation

/// Answers that are none of Talaria's: a captive portal's, a proxy's, another server's at the same address.
enum ForeignAnswer {
    /// Words for an answer, for people.
    ///
    /// - Parameters:
    ///   - response: its head.
    ///   - body: its body, or the beginning of that.
    /// - Returns: nil for JSON, which may be Talaria's.
    static func words(for response: TransportResponse, _ body: [UInt8]) -> String? {
        let portal = response.status < 500 ? "; a captive portal?" : ""
        if (300..<400).contains(response.status) {
            // The host alone: the rest of an address may be long, or hold what is nobody's business.
            let host = response.header("Location").flatMap { URL(string: $0)?.host() } ?? "another address"
            return "the answer was a redirect to \(host), which is not followed\(portal)"
        }
        let type = response.header("Content-Type")?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        switch body.first(where: { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }) {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return nil
        case UInt8(ascii: "<"): return "the answer was HTML, not Talaria's\(portal)"
        case nil: return "the answer was empty, not Talaria's\(portal)"
        default: return "the answer was \(type ?? "of no type"), not Talaria's\(portal)"
        }
    }
}
