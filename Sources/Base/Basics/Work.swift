internal import Synchronization

/// Kinds of work of a reading that are counted: the same picture needs the same on any machine, under any load, by one
/// build with the same settings in the same precision.
package enum Work: String, Sendable, CaseIterable {
    /// Bytes of picture files, and the pixels that they were decoded to.
    case bytesDecoded, pixelsDecoded
    /// Pixels of images made by scaling another, or by straightening a part of one.
    case pixelsScaled, pixelsWarped
    /// Runs of networks that find lines, and the elements of their inputs.
    case detectionCalls, detectionElements
    /// Likewise of those that find the direction of lines.
    case orientationCalls, orientationElements
    /// Likewise of those that read lines.
    case recognitionCalls, recognitionElements
    /// Lines that were read, and how many of these by a second look: reversed, in another pass, by better networks.
    case linesRecognised, linesAgain
    /// Books compared with a text, and rows of books read from the catalogue.
    case candidatesMatched, rowsRead
    /// Rows of the library that were inserted, changed or deleted.
    case rowsWritten
    /// Requests to a back end, retries included, and their bytes with headers.
    case requestsSent, bytesSent

    /// "detection calls".
    package var name: String {
        rawValue.reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
    }
}

/// Counts of work of one reading; a kind without a count was not counted, which is not 0.
package struct WorkCounts: Sendable, Equatable {
    /// A kind of work, by one network where networks differ.
    package struct Key: Hashable, Sendable {
        package var work: Work
        package var network: String?

        /// "recognitionCalls" or "recognitionCalls:NETWORK".
        package var text: String { work.rawValue + (network.map { ":" + $0 } ?? "") }

        package init(_ work: Work, _ network: String? = nil) { (self.work, self.network) = (work, network) }

        /// Reads a ``text``; nil for an unknown kind.
        package init?(_ text: String) {
            let parts = text.split(separator: ":", maxSplits: 1)
            guard let work = parts.first.flatMap({ Work(rawValue: String($0)) }) else { return nil }
            self.init(work, parts.count > 1 ? String(parts[1]) : nil)
        }
    }

    /// Numbers are whole and from 0 to 2⁵³, beyond which JSON has not all of them.
    package static let range = 0...1 << 53

    package private(set) var numbers: [Key: Int] = [:]

    package init(_ numbers: [Key: Int] = [:]) { self.numbers = numbers }

    /// Returns the number of a kind of work by all networks; nil where it was not counted.
    package subscript(work: Work) -> Double? {
        numbers.reduce(nil) { $1.key.work == work ? ($0 ?? 0) + Double($1.value) : $0 }
    }

    /// Returns the numbers of some kinds, by network.
    package func of(_ kinds: [Work]) -> [Key: Int] { numbers.filter { kinds.contains($0.key.work) } }

    /// Adds a number; that by a network replaces the 0 of all.
    fileprivate mutating func add(_ number: Int, _ key: Key) {
        if key.network != nil, numbers[Key(key.work)] == 0 { numbers[Key(key.work)] = nil }
        numbers[key, default: 0] += number
    }
}

/// An object of ``WorkCounts/Key/text`` and numbers; kinds of another build are passed over.
extension WorkCounts: Codable {
    package init(from decoder: any Decoder) throws {
        for (name, number) in try [String: Int](from: decoder) {
            guard Self.range.contains(number) else {
                let fault = "\(name) is \(number); expected 0 to 2^53"
                throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: fault))
            }
            if let key = Key(name) { numbers[key] = number }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        try Dictionary(uniqueKeysWithValues: numbers.map { ($0.key.text, $0.value) }).encode(to: encoder)
    }
}

/// Counter of the work of one reading, on whatever threads it is done.
package final class WorkMeter: Sendable {
    /// Meter of the reading that a task or thread works on; nil where nothing is counted.
    @TaskLocal package static var current: WorkMeter?

    private let total = Mutex(WorkCounts(Dictionary(uniqueKeysWithValues: Work.allCases.map { (.init($0), 0) })))

    package init() {}

    package var counts: WorkCounts { total.withLock { $0 } }

    package func add(_ numbers: [WorkCounts.Key: Int]) {
        total.withLock { total in for (key, number) in numbers { total.add(number, key) } }
    }

    /// Counts for the reading that this is part of.
    package static func count(_ work: Work, _ number: Int, of network: String? = nil) {
        current?.add([.init(work, network): number])
    }

    /// Returns the result of `body`, with the work that it did.
    package static func counting<Value>(_ body: () -> Value) -> (value: Value, counts: WorkCounts) {
        let meter = WorkMeter()
        return ($current.withValue(meter, operation: body), meter.counts)
    }
}
