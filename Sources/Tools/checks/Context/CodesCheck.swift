import ArgumentParser
import CaptureReading
import Foundation
import Imaging

/// Codes on drawn pictures, against a bar: at least 98 % read, in at most 10 ms on the processor (P95).
///
/// One thread does it all, so its time on the processor is that by the clock of a machine that does nothing else.
/// Decoding of the file is not in it.
struct CodesCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "codes",
        abstract: "Measure the share of QR and bar codes that are read, and the time.",
        discussion: "scripts/codes-peer.py draws the pictures and prints the results of zxing-cpp."
    )

    @Argument(help: "A folder with pictures and truth.csv: columns file, symbology, payload, angle and scale.")
    var folder: String

    @Option(help: "Minimum share of read codes, in percent.")
    var least = 98.0

    @Option(help: "Maximum P95 of CPU time, in milliseconds.")
    var milliseconds = 10.0

    func run() throws {
        let codes = try DrawnCode.all(folder)
        var times = CallTimes()
        var byKind: [String: (read: Int, all: Int)] = [:]
        var wrong = 0
        for code in codes {
            let image = try ImageCodec.decode(contentsOf: "\(folder)/\(code.file)").image
            let found = times.measure { CodeFinder.codes(in: image) }
            let isRead = found.contains { code.payload == $0.payload && code.symbology == $0.symbology.rawValue }
            byKind[code.symbology, default: (0, 0)].all += 1
            wrong += found.count { $0.payload != code.payload }
            if isRead {
                byKind[code.symbology, default: (0, 0)].read += 1
            } else {
                say("missed: \(code.line) \(found.map(\.payload))")
            }
        }
        let read = byKind.values.reduce(0) { $0 + $1.read }
        let percent = 100 * Double(read) / Double(codes.count)
        say("\(read) of \(codes.count) read (\(String(format: "%.2f", percent)) %), \(wrong) wrong; \(times)")
        for (kind, count) in byKind.sorted(by: { $0.key < $1.key }) { say("  \(kind): \(count.read) of \(count.all)") }
        let p95 = times.processorPercentile(95) ?? .infinity
        if percent < least || p95 > milliseconds { throw ExitCode(1) }
    }
}

/// A row of truth.csv.
private struct DrawnCode {
    var file: String
    var symbology: String
    var payload: String
    var line: String

    /// - Throws: when there is no such file, or it has no rows, or one of them has fewer than three fields.
    static func all(_ folder: String) throws -> [DrawnCode] {
        let text = try String(contentsOf: URL(filePath: folder).appending(path: "truth.csv"), encoding: .utf8)
        let codes = try text.split(separator: "\n").dropFirst().map { line in
            let fields = line.split(separator: ",").map(String.init)
            guard fields.count >= 3 else {
                throw CheckFailure("truth.csv: no file, symbology and payload in '\(line)'")
            }
            return DrawnCode(file: fields[0], symbology: fields[1], payload: fields[2], line: String(line))
        }
        guard !codes.isEmpty else { throw CheckFailure("truth.csv has no rows") }
        return codes
    }
}
