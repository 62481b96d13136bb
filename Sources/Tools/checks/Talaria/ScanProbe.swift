import ArgumentParser
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Talaria

/// Running server, with the requests of a check.
struct ProbedServer: ParsableArguments {
    @Option(help: "The server's address.")
    var url: String

    /// Lets `check` ask the server; ends with 1 when that finds failures.
    func probe(_ check: (ScanProbe) async throws -> [String]) async throws {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 512
        let client = HTTPClient(configuration: configuration)
        let probe = ScanProbe(client: client, url: url.hasSuffix("/") ? String(url.dropLast()) : url)
        try end(try await closing(client.shutdown) { try await check(probe) })
    }
}

/// Sender of scans and texts as devices do, each with its own identity, which measures their times.
struct ScanProbe: Sendable {
    enum Outcome: Sendable {
        /// Seconds from the first byte to the first `completed` event, and those that the server's engine took.
        case done(seconds: Double, engine: Double)
        /// Seconds to wait after status 429.
        case refused(retryAfter: Double)
        /// Neither: why not.
        case lost(String)
    }

    var client: HTTPClient
    /// Address without a slash at its end.
    var url: String

    func scan(_ photo: [UInt8]) async -> Outcome {
        let device = UUID().uuidString
        let start = ContinuousClock.now
        do {
            let response = try await upload(photo, device: device)
            if response.status == .tooManyRequests {
                return .refused(retryAfter: response.headers.first(name: "retry-after").flatMap(Double.init) ?? 1)
            }
            guard response.status == .accepted else { return .lost("status \(response.status.code)") }
            return try await follow(Self.job(response), device: device, since: start)
        } catch {
            return .lost("\(error)")
        }
    }

    /// Returns the job that the server has accepted.
    static func job(_ response: HTTPClientResponse) async throws -> ScanAccepted {
        try WireJSON.decode(
            ScanAccepted.self,
            from: Data(try await response.body.collect(upTo: 1 << 20).readableBytesView)
        )
    }

    /// Uploads until the server takes the photo, as a client with a queue does.
    func scanUntilAccepted(_ photo: [UInt8]) async throws -> Outcome {
        while true {
            let outcome = await scan(photo)
            guard case .refused(let seconds) = outcome else { return outcome }
            try await Task.sleep(for: .seconds(seconds))
        }
    }

    /// Returns seconds that the answer to a text of a device took.
    func enrich(_ text: String, device: UUID) async throws -> Double {
        let request = try enrichment(text, device: device)
        let start = ContinuousClock.now
        let response = try await client.execute(request, timeout: .seconds(30))
        let body = try await response.body.collect(upTo: 1 << 20)
        let seconds = start.duration(to: .now) / .seconds(1)
        guard response.status == .ok else { throw CheckFailure("enrich: status \(response.status.code)") }
        _ = try WireJSON.decode(BookMetadata.self, from: Data(body.readableBytesView))
        return seconds
    }

    /// Returns latencies of short texts, one after the other, of one device or each of a different one.
    func textLatencies(_ count: Int, device: UUID? = nil) async throws -> Latencies {
        let texts = [
            "FRANK HERBERT\nDUNE", "The Heart Is a Lonely Hunter\nCARSON MCCULLERS", "Émile Zola\nTHÉRÈSE RAQUIN",
        ]
        var seconds: [Double] = []
        for index in 0..<count {
            seconds.append(try await enrich(texts[index % texts.count], device: device ?? UUID()))
        }
        return Latencies(seconds: seconds)
    }

    /// Returns the request for a text of a device, to be sent any number of times.
    func enrichment(_ text: String, device: UUID) throws -> HTTPClientRequest {
        var request = HTTPClientRequest(url: "\(url)/v3/jobs/enrich")
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        let message = EnrichRequest(rawText: text, deviceID: device)
        request.body = .bytes(ByteBuffer(bytes: try WireJSON.encode(message)))
        return request
    }

    /// Uploads a photo without waiting for its result.
    func upload(_ photo: [UInt8], device: String) async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(url: "\(url)/v3/jobs/scans")
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "multipart/form-data; boundary=check")
        request.headers.add(name: "X-Device-ID", value: device)
        var body = ByteBuffer(
            string: "--check\r\nContent-Disposition: form-data; name=\"photos[]\"; filename=\"spine.jpg\"\r\n"
                + "Content-Type: image/jpeg\r\n\r\n"
        )
        body.writeBytes(photo)
        body.writeString("\r\n--check--\r\n")
        request.body = .bytes(body)
        return try await client.execute(request, timeout: .seconds(60))
    }

    func follow(_ job: ScanAccepted, device: String, since start: ContinuousClock.Instant) async throws -> Outcome {
        var request = HTTPClientRequest(url: "\(url)\(job.stream ?? "/v3/jobs/scans/\(job.jobID)/stream")")
        request.headers.add(name: "Accept", value: "text/event-stream")
        request.headers.add(name: "X-Device-ID", value: device)
        request.headers.add(name: "Authorization", value: "Bearer \(job.token ?? "")")
        let response = try await client.execute(request, timeout: .seconds(300))
        guard response.status == .ok else { return .lost("stream: status \(response.status.code)") }
        var parser = SSEParser()
        var outcome = Outcome.lost("the stream ended before its job")
        for try await piece in response.body {
            for event in try parser.push(Array(piece.readableBytesView)) {
                switch try ScanEvent(name: event.name, data: Data(event.data)) {
                case .completed(let completion) where completion.books != nil:
                    let seconds = start.duration(to: .now) / .seconds(1)
                    outcome = .done(seconds: seconds, engine: (completion.duration?.recognitionMs ?? 0) / 1_000)
                case .failed(let problem) where problem.code == .noTextDetected:
                    // The engine's word on a picture, not a loss.
                    outcome = .done(seconds: start.duration(to: .now) / .seconds(1), engine: 0)
                case .failed(let problem): outcome = .lost("\(problem)")
                default: continue
                }
            }
        }
        return outcome
    }
}

struct ScanTally: Sendable {
    private var seconds: [Double] = []
    private var withoutEngine: [Double] = []
    private(set) var refused = 0
    /// Reasons for the lost ones.
    private(set) var losses: [String] = []

    mutating func add(_ outcome: ScanProbe.Outcome) {
        switch outcome {
        case .done(let total, let engine):
            seconds.append(total)
            if engine > 0 { withoutEngine.append(total - engine) }
        case .refused: refused += 1
        case .lost(let reason): losses.append(reason)
        }
    }

    var latencies: Latencies { Latencies(seconds: seconds) }
    /// Latencies without the time of the server's engine.
    var around: Latencies { Latencies(seconds: withoutEngine) }
}

/// Photos in the order of their names, as often as they are needed.
struct PhotoFolder: Sendable {
    private let photos: [[UInt8]]

    /// - Throws: `CheckFailure` when there are none.
    init(path: String) throws {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        photos = names.sorted().prefix(200).compactMap { name in
            guard name.hasSuffix(".jpg") || name.hasSuffix(".png") else { return nil }
            return FileManager.default.contents(atPath: "\(path)/\(name)").map { [UInt8]($0) }
        }
        guard !photos.isEmpty else {
            throw CheckFailure("no .jpg or .png files in \(path); specify a folder with --photos")
        }
    }

    subscript(index: Int) -> [UInt8] { photos[index % photos.count] }
}
