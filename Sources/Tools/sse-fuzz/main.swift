import Foundation
import Talaria

// The parser's speed, and inputs of the fuzzer again. The fuzzing itself is libFuzzer's: `make sse-fuzz`.
switch CommandLine.arguments.dropFirst().first {
case "--benchmark": try benchmark()
case let path? where !path.hasPrefix("-"):
    for path in CommandLine.arguments.dropFirst() {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        print("\(path): \(Properties.violation(bytes, seed: 1) ?? "nothing found")")
    }
default:
    print("Usage: sse-fuzz --benchmark | FILE…: measure the speed of reading streams, or replay the fuzzer's inputs")
}

/// Reads streams of several kinds in one thread, and prints megabytes a second.
func benchmark() throws {
    let book = BookMetadata(
        title: "The Book",
        authors: ["A. N. Author"],
        isbn: "9780743273565",
        coverURL: "https://covers.example/1.jpg",
        confidence: 0.95,
        enrichmentStatus: .success
    )
    let progress = ScanProgress(jobID: "job-1", progress: 0.6, message: "Enriched book")
    let books = [BookMetadata](repeating: book, count: 5)
    let events =
        [ScanEvent](repeating: .progress(progress), count: 6)
        + books.map { .result(ScanResult(book: $0, progress: progress)) }
        + [.completed(ScanCompletion(jobID: "job-1", books: books))]
    let scan = try events.reduce(into: Array(": connection established\nretry: 5000\n\n".utf8)) { scan, event in
        let data = [UInt8](try event.data())
        scan += ServerSentEvent(name: event.name, data: data, id: "1770144148771-\(event.name)").encoded()
    }
    measure("scans, pieces of 16 KiB", scan, pieces: 16_384)
    measure("scans, pieces of 1400 bytes", scan, pieces: 1400)
    measure("scans with CRLF, pieces of 16 KiB", scan.flatMap { $0 == 10 ? [13, 10] : [$0] }, pieces: 16_384)
    let large = ServerSentEvent(data: [UInt8](repeating: UInt8(ascii: "x"), count: 200_000)).encoded()
    measure("events of 200 KB, pieces of 16 KiB", large, pieces: 16_384)
    measure("pings, pieces of 16 KiB", Array("event: ping\ndata: {}\n\n".utf8), pieces: 16_384)
}

/// Prints the speed of reading 64 MiB of a stream: the median of eleven passes.
func measure(_ name: String, _ stream: [UInt8], pieces: Int) {
    let bytes = Array(repeatElement(stream, count: (64 << 20) / stream.count).joined())
    var speeds: [Double] = []
    var count = 0
    for _ in 0..<11 {
        var parser = SSEParser()
        count = 0
        let time = ContinuousClock().measure {
            for start in stride(from: 0, to: bytes.count, by: pieces) {
                count += (try? parser.push(bytes[start..<min(bytes.count, start + pieces)]).count) ?? 0
            }
        }
        speeds.append(Double(bytes.count) / 1e6 / (time / .seconds(1)))
    }
    print("\(name): \(Int(speeds.sorted()[speeds.count / 2])) MB/s (\(bytes.count / 1_000_000) MB, \(count) events)")
}
