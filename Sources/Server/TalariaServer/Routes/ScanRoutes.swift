import Foundation
import HTTPServer
import HTTPTypes
import Talaria

/// Everything about a job that was accepted, but for its stream.
extension TalariaServer {
    /// Answers `GET /v3/jobs/scans/{id}`.
    func status(_ request: Request) async throws -> Response {
        let (job, rate) = try await admitted(request, proof: .device)
        var state = ScanState(jobID: job.id, status: JobStatus(rawValue: job.state.rawValue))
        state.progress = job.progress
        (state.processedCount, state.totalCount) = (job.state.isFinal ? job.photos : 0, job.photos)
        if job.state == .completed {
            (state.stage, state.resultsLocation) = ("complete", ScanPaths(id: job.id).results)
        }
        state.problem = try await problem(of: job)
        return answer(state, rate, request)
    }

    /// Answers `GET /v3/jobs/scans/{id}/results?format=full|lite`.
    func results(_ request: Request) async throws -> Response {
        let (job, rate) = try await admitted(request, proof: .token)
        let name = request.query["format"] ?? "full"
        guard ["full", "lite"].contains(name) else {
            throw Problem.invalidRequest("The format of results must be full or lite.")
        }
        guard let data = try await store.result(of: job.id) else {
            throw job.state.isFinal
                ? Problem.conflict(.notFound, "The job ended without results.")
                : Problem.conflict(.jobNotFinished, "The job is not finished yet.", retryable: true)
        }
        let results = try WireJSON.decode(ScanResults.self, from: data)
        return JSON.response(Envelope(data: name == "lite" ? results.lite : results)).with(rate)
    }

    /// Answers `DELETE /v3/jobs/scans/{id}`.
    func cancel(_ request: Request) async throws -> Response {
        let (job, rate) = try await admitted(request, proof: .device)
        let event = try stored(.canceled)
        guard try await store.move(job.id, to: .canceled, at: now(), events: [event]) else {
            throw Problem.conflict(.jobAlreadyFinished, "The job has ended and cannot be canceled.")
        }
        if queue.withdraw(job) { files.remove(job.id) }
        signals.notify(job.id)
        metrics.jobEnded(.canceled, after: nil)
        var state = ScanState(jobID: job.id, status: .canceled)
        state.totalCount = job.photos
        return answer(state, rate, request)
    }

    /// Answers `DELETE /v3/jobs/scans/{id}/cleanup`.
    ///
    /// An unfinished job is not removed: a client's mistake could not be undone (K-29).
    func cleanup(_ request: Request) async throws -> Response {
        let (job, rate) = try await admitted(request, proof: .device)
        guard job.state.isFinal else {
            throw Problem.conflict(.jobNotFinished, "The job is not finished yet; cancel it first.", retryable: true)
        }
        try await store.remove(job.id)
        files.remove(job.id)
        signals.notify(job.id)
        return Response(status: .noContent, headers: rate)
    }

    private func admitted(
        _ request: Request,
        proof: JobProof
    ) async throws -> (Job, HTTPFields) {
        let rate = try await limiter.admit(client: DeviceID(of: request).text, .others)
        return (try await job(request, proof: proof), rate)
    }

    private func answer(_ state: ScanState, _ rate: HTTPFields, _ request: Request) -> Response {
        JSON.response(Envelope(data: state, metadata: metadata(request))).with(rate)
    }

    private func metadata(_ request: Request) -> [String: String] {
        ["timestamp": JSON.timestamp(now()), "requestId": request.id]
    }

    /// Returns the answer to an upload, with the names of older and newer clients side by side (K-10).
    func accepted(_ job: Job, token: String, _ request: Request) -> Response {
        let paths = ScanPaths(id: job.id)
        let data = [
            "jobId": job.id, "status": job.state.rawValue, "sseUrl": paths.stream, "streamUrl": paths.stream,
            "statusUrl": paths.status, "token": token, "authToken": token,
        ]
        let links = ["self": paths.status, "stream": paths.stream, "cancel": paths.status]
        let envelope = Envelope(data: data, links: links, metadata: metadata(request))
        var response = JSON.response(envelope, status: .accepted)
        response.headers[.location] = paths.status
        return response
    }

    /// Returns the reason for a job's failure, as in its stream.
    private func problem(of job: Job) async throws -> ProblemDetails? {
        guard job.state == .failed, let event = try await store.events(of: job.id, after: 0).last else { return nil }
        return try WireJSON.decode(ProblemDetails.self, from: Data(event.data.utf8))
    }
}

struct ScanPaths: Sendable {
    static let base = "/v3/jobs/scans"
    var id: String

    var status: String { "\(Self.base)/\(id)" }
    var stream: String { "\(status)/stream" }
    var results: String { "\(status)/results" }
    var cleanup: String { "\(status)/cleanup" }
}
