import Foundation
import NIOCore
import Talaria

/// Writes events as a stream sends them, with the faults of that stream.
struct EventWriter {
    var faults: StreamFaults
    private var sent = 0

    init(faults: StreamFaults) { self.faults = faults }

    var opening: ByteBuffer { ByteBuffer(string: ": connection established\nretry: 5000\n\n") }

    /// Bytes that are sent for one event.
    ///
    /// - Throws: `InjectedDrop` when the connection is to be closed instead.
    mutating func pieces(of event: JobEvent) throws -> [ByteBuffer] {
        if let dropAfter = faults.dropAfter, sent >= dropAfter { throw InjectedDrop() }
        sent += 1
        var data = event.data
        if faults.isStripped, event.name == "completed" { data = try Self.withoutBooks(data) }
        let text = Self.text(id: event.id, name: event.name, data: data)
        var pieces: [String] = []
        if faults.isMalformed, !sent.isMultiple(of: 2) {
            pieces.append(Self.text(id: event.id, name: "progress", data: "{\"progress\": 0.,, \"oops\""))
        }
        pieces += faults.isDoubled ? [text, text] : [text]
        return pieces.map { ByteBuffer(string: $0) }
    }

    func ping(at date: Date) -> ByteBuffer {
        let time = JSON.timestamp(date)
        return ByteBuffer(
            string: Self.text(id: nil, name: "ping", data: "{\"timestamp\":\"\(time)\",\"type\":\"ping\"}")
        )
    }

    /// - Returns: the event that ends a stream without progress.
    /// - Throws: `EncodingError`, in no case that can be made from text.
    func timeout(of job: String, at date: Date) throws -> ByteBuffer {
        let detail = "The job made no progress for too long."
        var problem = ProblemDetails(detail: detail, code: .processingTimeout, isRetryable: true)
        problem.jobID = job
        let event = ScanEvent.timeout(problem)
        let milliseconds = Int64(date.timeIntervalSince1970 * 1_000)
        let data = String(decoding: try event.data(), as: UTF8.self)
        return ByteBuffer(string: Self.text(id: "\(milliseconds)-timeout", name: event.name, data: data))
    }

    /// One event; its data is one line.
    static func text(id: String?, name: String, data: String) -> String {
        "\(id.map { "id: \($0)\n" } ?? "")event: \(name)\ndata: \(data)\n\n"
    }

    private static func withoutBooks(_ data: String) throws -> String {
        var completion = try WireJSON.decode(ScanCompletion.self, from: Data(data.utf8))
        completion.books = nil
        return String(decoding: try ScanEvent.completed(completion).data(), as: UTF8.self)
    }
}

/// A stream is to break here.
struct InjectedDrop: Error {}

extension JobEvent {
    /// The last event of a job that went well.
    var isSecondCompletion: Bool { id.hasSuffix("-\(Self.lastType)") }
}
