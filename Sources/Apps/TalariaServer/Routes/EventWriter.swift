import Foundation
import HTTPTypes
import NIOCore
import Talaria

/// Writer of a stream's events, with the faults of that stream.
struct EventWriter {
    var faults: StreamFaults
    private var sent = 0

    init(faults: StreamFaults) { self.faults = faults }

    /// Header fields of a stream; the last one asks nginx not to buffer it (ngx_http_proxy_module, `proxy_buffering`).
    static let headers: HTTPFields = [
        .contentType: "text/event-stream", .cacheControl: "no-cache", .accelBuffering: "no",
    ]

    static var opening: ByteBuffer { ByteBuffer(string: ": connection established\nretry: 5000\n\n") }

    /// Returns bytes that are sent for one event.
    ///
    /// - Throws: `InjectedDrop` when the connection is to be closed instead.
    mutating func pieces(of event: JobEvent) throws -> [ByteBuffer] {
        if let dropAfter = faults.dropAfter, sent >= dropAfter { throw InjectedDrop() }
        sent += 1
        var data = event.data
        if faults.isStripped, event.name == "completed" { data = try Self.withoutBooks(data) }
        let bytes = ServerSentEvent(name: event.name, text: data, id: event.id).encoded()
        var pieces = faults.isDoubled ? [bytes, bytes] : [bytes]
        if faults.isMalformed, !sent.isMultiple(of: 2) {
            let broken = ServerSentEvent(name: "progress", text: "{\"progress\": 0.,, \"oops\"", id: event.id)
            pieces.insert(broken.encoded(), at: 0)
        }
        return pieces.map { ByteBuffer(bytes: $0) }
    }

    func ping(at date: Date) -> ByteBuffer {
        let data = "{\"timestamp\":\"\(JSON.timestamp(date))\",\"type\":\"ping\"}"
        return ByteBuffer(bytes: ServerSentEvent(name: "ping", text: data).encoded())
    }

    /// - Returns: the event that ends a stream without progress.
    /// - Throws: `EncodingError`, in no case that can be made from text.
    func timeout(of job: String, at date: Date) throws -> ByteBuffer {
        let detail = "The job made no progress for too long."
        var problem = ProblemDetails(detail: detail, code: .processingTimeout, isRetryable: true)
        problem.jobID = job
        let event = ScanEvent.timeout(problem)
        let milliseconds = Int64(date.timeIntervalSince1970 * 1_000)
        let data = [UInt8](try event.data())
        let sent = ServerSentEvent(name: event.name, data: data, id: "\(milliseconds)-timeout")
        return ByteBuffer(bytes: sent.encoded())
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
