import ArgumentParser
import CaptureReading
import Foundation
import Imaging

/// The times are those of one thread on the processor, which other work does not lengthen, without decoding the file.
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
        let codes = try CSVRows(path: "\(folder)/truth.csv").rows
        if codes.isEmpty { throw CheckFailure("truth.csv has no rows") }
        var times = CallTimes()
        var byKind: [String: (read: Int, all: Int)] = [:]
        var wrong = 0
        for code in codes {
            guard let file = code["file"], let symbology = code["symbology"], let payload = code["payload"] else {
                throw CheckFailure("truth.csv: a column file, symbology or payload is missing")
            }
            let image = try ImageCodec.decode(contentsOf: "\(folder)/\(file)").image
            let found = times.measure { CodeFinder.codes(in: image) }
            let isRead = found.contains { payload == $0.payload && symbology == $0.symbology.rawValue }
            byKind[symbology, default: (0, 0)].all += 1
            wrong += found.count { $0.payload != payload }
            if isRead {
                byKind[symbology, default: (0, 0)].read += 1
            } else {
                print("missed: \(code.values.sorted()) \(found.map(\.payload))")
            }
        }
        let read = byKind.values.reduce(0) { $0 + $1.read }
        let percent = 100 * Double(read) / Double(codes.count)
        print("\(read) of \(codes.count) read (\(String(format: "%.2f", percent)) %), \(wrong) wrong; \(times)")
        for (kind, count) in byKind.sorted(by: { $0.key < $1.key }) {
            print("  \(kind): \(count.read) of \(count.all)")
        }
        let p95 = times.processorPercentile(95) ?? .infinity
        try end([], isGood: percent >= least && p95 <= milliseconds)
    }
}
