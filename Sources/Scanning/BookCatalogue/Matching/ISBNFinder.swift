import Basics

/// Finds ISBNs in what was read.
enum ISBNFinder {
    /// The numbers with a right check digit in a text, each once, in order.
    ///
    /// Hyphens and single spaces may stand between the digits; a number does not begin or end inside a group of digits.
    static func numbers(in text: String) -> [ISBN] {
        var found: [ISBN] = []
        for run in runs(of: Array(text.utf8)) {
            for (start, first) in run.enumerated() {
                var digits: [UInt8] = []
                for group in run[start...] {
                    digits += group
                    guard digits.count <= 13 else { break }
                    guard digits.count == 10 || digits.count == 13, !first.isEmpty else { continue }
                    if let isbn = ISBN(String(decoding: digits, as: UTF8.self)), !found.contains(isbn) {
                        found.append(isbn)
                    }
                }
            }
        }
        return found
    }

    /// Groups of digits with only a hyphen or a space between, of at least ten digits in all.
    private static func runs(of bytes: [UInt8]) -> [[[UInt8]]] {
        var runs: [[[UInt8]]] = []
        var run: [[UInt8]] = []
        var group: [UInt8] = []
        var separators = 0
        for byte in bytes + [0] {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                group.append(byte)
                separators = 0
            case UInt8(ascii: "X"), UInt8(ascii: "x"):
                group.append(byte)
            case UInt8(ascii: "-"), UInt8(ascii: " "):
                if !group.isEmpty { run.append(group) }
                group = []
                separators += 1
                if separators == 1 { continue }
                fallthrough
            default:
                if !group.isEmpty { run.append(group) }
                if run.reduce(0, { $0 + $1.count }) >= 10 { runs.append(run) }
                (run, group) = ([], [])
            }
        }
        return runs
    }
}
