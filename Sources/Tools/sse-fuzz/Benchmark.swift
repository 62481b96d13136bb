import Foundation
import Talaria

/// Speed of reading streams, in one thread.
enum Benchmark {
    /// Reads streams of several kinds, and prints megabytes a second: the median of eleven passes over each.
    static func run() throws {
        let books = (1...5).map { number in
            BookMetadata(
                title: "The Book of Number \(number)",
                authors: ["A. N. Author"],
                isbn: "9780743273565",
                coverURL: "https://covers.example/\(number).jpg",
                confidence: 0.95,
                enrichmentStatus: .success
            )
        }
        var scan: [UInt8] = Array(": connection established\nretry: 5000\n\n".utf8)
        let events: [ScanEvent] =
            (1...6).map { .progress(ScanProgress(jobID: "job-1", progress: Double($0) / 10, message: "Enriched book")) }
            + books.map { .result(ScanResult(book: $0, progress: ScanProgress(jobID: "job-1", progress: 0.6))) }
            + [.completed(ScanCompletion(jobID: "job-1", books: books))]
        for event in events {
            let data = [UInt8](try event.data())
            scan += ServerSentEvent(name: event.name, data: data, id: "1770144148771-\(event.name)").encoded()
        }
        let size = 64 << 20
        measure("scans, pieces of 16 KiB", repeated(scan, size), pieces: 16_384)
        measure("scans, pieces of 1400 bytes", repeated(scan, size), pieces: 1400)
        let returns = scan.flatMap { $0 == 10 ? [13, 10] : [$0] }
        measure("scans with CRLF, pieces of 16 KiB", repeated(returns, size), pieces: 16_384)
        let large = ServerSentEvent(data: [UInt8](repeating: UInt8(ascii: "x"), count: 200_000)).encoded()
        measure("events of 200 KB, pieces of 16 KiB", repeated(large, size), pieces: 16_384)
        measure("pings, pieces of 16 KiB", repeated(Array("event: ping\ndata: {}\n\n".utf8), size), pieces: 16_384)
    }

    private static func repeated(_ bytes: [UInt8], _ size: Int) -> [UInt8] {
        (0..<(size / bytes.count)).flatMap { _ in bytes }
    }

    private static func measure(_ name: String, _ bytes: [UInt8], pieces: Int) {
        var speeds: [Double] = []
        var count = 0
        for _ in 0..<11 {
            var parser = SSEParser()
            count = 0
            let clock = ContinuousClock()
            let time = clock.measure {
                var start = 0
                while start < bytes.count {
                    let end = min(bytes.count, start + pieces)
                    count += (try? parser.push(bytes[start..<end]).count) ?? 0
                    start = end
                }
            }
            speeds.append(Double(bytes.count) / 1e6 / (time / .seconds(1)))
        }
        let median = speeds.sorted()[speeds.count / 2]
        print("\(name): \(Int(median)) MB/s (\(bytes.count / 1_000_000) MB, \(count) events)")
    }
}
