import Foundation
import Hummingbird
import Talaria

/// The answer to an upload, in the form of a generation.
struct ScanAnswer: Sendable {
    var job: Job
    var token: String
    var requestID: String
    var date: Date

    /// - Parameter generation: whose form it has.
    /// - Returns: a response with status 202.
    /// - Throws: `EncodingError`, in no case that can be made from text.
    func response(as generation: ServerConfiguration.AnswerGeneration) throws -> Response {
        let data: Data
        switch generation {
        case .both: data = JSON.data(both)
        case .seed: data = try accepted.encoded(as: .seed)
        case .february2026: data = try accepted.encoded(as: .enveloped)
        case .version35: data = try accepted.encoded(as: .tokens)
        case .polling: data = try accepted.encoded(as: .polling)
        }
        var response = JSON.response(data, status: .accepted)
        response.headers[.location] = paths.status
        return response
    }

    private var paths: ScanPaths { ScanPaths(id: job.id) }

    private var accepted: ScanAccepted {
        ScanAccepted(
            jobID: job.id,
            stream: paths.stream,
            token: token,
            statusLocation: paths.status,
            status: JobStatus(name: job.state.rawValue)
        )
    }

    private var both: Envelope<Content> {
        Envelope(
            Content(
                jobId: job.id,
                status: job.state.rawValue,
                sseUrl: paths.stream,
                streamUrl: paths.stream,
                statusUrl: paths.status,
                token: token,
                authToken: token
            ),
            links: ["self": paths.status, "stream": paths.stream, "cancel": paths.status],
            date: date,
            requestID: requestID
        )
    }

    private struct Content: Encodable, Sendable {
        var jobId: String
        var status: String
        var sseUrl: String
        var streamUrl: String
        var statusUrl: String
        var token: String
        var authToken: String
    }
}
