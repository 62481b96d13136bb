import Evaluation
import Foundation
import Harness
import Talaria

/// A reader behind an address: a picture is posted, and the answer is the JSON of a reader that answers lines.
final class HTTPReader: SystemUnderTest {
    private let address: URL
    private let timeout: Double
    private let transport: NetworkTransport

    /// Longest answer.
    private static let answerLimit = 16 << 20

    private init(_ address: URL, timeout: Double) throws {
        (self.address, self.timeout) = (address, timeout)
        transport = try NetworkTransport()
    }

    /// Returns the system when the service answers a GET of the address, which may be a ready message.
    ///
    /// - Throws: `HarnessError` for an invalid address, `ReaderFailure` when nothing listens there or answers in time.
    static func load(_ address: String, timeout: Double, startTimeout: Double) throws -> WorkerLoop.Loaded {
        guard let url = URL(string: address), url.host() != nil else {
            throw HarnessError.configuration("invalid address \(address)")
        }
        let reader = try HTTPReader(url, timeout: timeout)
        var body: [UInt8] = []
        do {
            body = try reader.send(nil, within: startTimeout).body
        } catch TalariaError.unreachable(_, NetworkTransport.closed) {
            // It may answer to pictures alone.
        } catch TalariaError.unreachable(_, let reason) {
            throw ReaderFailure("the service at \(address) cannot be reached: \(reason); start it first")
        } catch {
            throw ReaderFailure("the service at \(address) does not answer: \(error)")
        }
        let name = ReaderAnswer(body)?.reader
        let description = name.map { ["reader": $0] } ?? [:]
        return WorkerLoop.Loaded(system: reader, description: description, memory: .elsewhere)
    }

    func process(_ bytes: [UInt8], name: String, reached: @escaping MilestoneHandler) throws -> Prediction {
        let (status, body): (Int, [UInt8])
        do {
            (status, body) = try send(bytes, within: timeout)
        } catch TalariaError.unreachable(_, NetworkTransport.closed) {
            // The service closed the connection instead of answering, maybe while nothing was sent: once more.
            (status, body) = try send(bytes, within: timeout)
        }
        guard let answer = ReaderAnswer(body) else {
            let text = String(decoding: body.prefix(200), as: UTF8.self)
            throw ReaderFailure("the service answered \(status) without a JSON object: \(text)")
        }
        let prediction = try answer.prediction()
        guard (200...299).contains(status) else { throw ReaderFailure("the service answered \(status)") }
        return prediction
    }

    /// Posts a picture, or gets the address.
    private func send(_ bytes: [UInt8]?, within seconds: Double) throws -> (status: Int, body: [UInt8]) {
        var request = TransportRequest(method: bytes == nil ? .get : .post, url: address, body: bytes)
        if bytes != nil { request.headers = [(name: "content-type", value: "application/octet-stream")] }
        do {
            return try BlockingTask.run { [transport, request] in
                try await within(.seconds(seconds), "a reading", on: ContinuousClock()) {
                    let response = try await transport.send(request, meter: TransferMeter())
                    var body: [UInt8] = []
                    for try await part in response.body {
                        body += part
                        guard body.count <= Self.answerLimit else {
                            throw ReaderFailure("the service answered more than \(Self.answerLimit >> 20) MB")
                        }
                    }
                    return (response.status, body)
                }
            }
        } catch TalariaError.timedOut {
            throw ReaderFailure.silent(seconds: seconds)
        }
    }
}
