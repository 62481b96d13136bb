import Basics
package import Foundation

/// An event of a job's stream.
package enum ScanEvent: Sendable, Equatable {
    case progress(ScanProgress)
    case result(ScanResult)
    /// The end, with the books or where they are.
    case completed(ScanCompletion)
    case failed(ProblemDetails)
    /// The end that the client asked for.
    case canceled
    /// The server gave the job up.
    case timeout(ProblemDetails)
    case ping
    /// An event of another server, of which nothing is used.
    case unknown(name: String)

    package var name: String {
        switch self {
        case .progress: "progress"
        case .result: "result"
        case .completed: "completed"
        case .failed: "failed"
        case .canceled: "canceled"
        case .timeout: "timeout"
        case .ping: "ping"
        case .unknown(let name): name
        }
    }

    /// Creates the event of this name and these data.
    ///
    /// An event without a name of its own has the `type` among its data.
    ///
    /// - Throws: An error when the data do not match the name.
    package init(name: String, data: Data) throws {
        var name = name
        if name.isEmpty || name == "message" {
            name = (try? WireJSON.decode(TypeOnly.self, from: data).type) ?? name
        }
        switch name {
        case "progress": self = .progress(try WireJSON.decode(ScanProgress.self, from: data))
        case "result": self = .result(try WireJSON.decode(ScanResult.self, from: data))
        case "completed", "complete": self = .completed(try WireJSON.decode(ScanCompletion.self, from: data))
        case "failed", "error": self = .failed(try Self.problem(data))
        case "canceled", "cancelled": self = .canceled
        case "timeout": self = .timeout((try? Self.problem(data)) ?? ProblemDetails())
        case "ping": self = .ping
        default: self = .unknown(name: name)
        }
    }

    private struct TypeOnly: Decodable {
        let type: String
    }

    /// Returns a problem as an event has it, whose `type` names the event and not the kind of problem.
    private static func problem(_ data: Data) throws -> ProblemDetails {
        var problem = try WireJSON.decode(ProblemDetails.self, from: data)
        problem.type = nil
        return problem
    }

    /// Returns the event's data as JSON on one line, with its name as `type`.
    ///
    /// - Throws: `EncodingError` where a number is not finite.
    package func data() throws -> Data {
        let content: (any Encodable)? =
            switch self {
            case .progress(let progress): progress
            case .result(let result): result
            case .completed(let end): Members(content: end, fields: ["status": JobStatus.completed, "progress": 1])
            case .failed(let problem), .timeout(let problem):
                Members(fields: [
                    "jobId": problem.jobID, "message": problem.detail ?? problem.title, "code": problem.code,
                    "retryable": problem.isRetryable, "retryAfterMs": problem.retryAfterMs,
                ])
            case .canceled, .ping, .unknown: nil
            }
        return try WireJSON.encode(Members(content: content, fields: ["type": name]))
    }
}
