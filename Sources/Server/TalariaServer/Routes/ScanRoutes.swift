import Foundation
import HTTPServer
import HTTPTypes
import Talaria

/// Everything about a job that was accepted, but for its stream.
extension TalariaServer {
    /// Answers `GET /v3/jobs/scans/{id}`.
    func status(_ request: Request) async throws -> Response {
        let job = try await job(request)
        var state = ScanState(jobID: job.id, status: JobStatus(rawValue: job.state.rawValue))
        state.progress = job.progress
        (state.processedCount, state.totalCount) = (job.state.isFinal ? job.photos : 0, job.photos)
        if job.state == .completed {
            (state.stage, state.resultsLocation) = ("complete", "\(job.path)/results")
        }
        if job.state == .failed, let event = try await store.events(of: job.id).last {
            state.problem = try WireJSON.decode(ProblemDetails.self, from: Data(event.data.utf8))
        }
        return answer(state, request)
    }

    /// Answers `GET /v3/jobs/scans/{id}/results?format=full|lite`.
    func results(_ request: Request) async throws -> Response {
        let job = try await job(request, needsToken: true)
        let name = request.query["format"] ?? "full"
        guard ["full", "lite"].contains(name) else {
            throw Problem(.invalidRequest, "The format of results must be full or lite.")
        }
        guard job.state.isFinal else { throw Problem(.jobNotFinished, "The job is not finished yet.") }
        guard let end = try await store.events(of: job.id).first(where: { $0.name == "completed" }),
            let books = try WireJSON.decode(ScanCompletion.self, from: Data(end.data.utf8)).books
        else { throw Problem(.notFound, "The job ended without results.", status: .conflict) }
        let results = ScanResults(jobID: job.id, results: books)
        return JSON.envelope(name == "lite" ? results.lite : results)
    }

    /// Answers `DELETE /v3/jobs/scans/{id}`.
    func cancel(_ request: Request) async throws -> Response {
        let job = try await job(request)
        let event = try stored(.canceled, of: job.id)
        guard try await store.move(job.id, to: .canceled, at: now(), events: [event]) else {
            throw Problem(.jobAlreadyFinished, "The job has ended and cannot be canceled.")
        }
        signals.notify(job.id)
        try? await store.emptyLog()
        var state = ScanState(jobID: job.id, status: .canceled)
        state.totalCount = job.photos
        return answer(state, request)
    }

    /// Answers `DELETE /v3/jobs/scans/{id}/cleanup`.
    ///
    /// An unfinished job is not removed: a client's mistake could not be undone (K-29).
    func cleanup(_ request: Request) async throws -> Response {
        let job = try await job(request)
        guard job.state.isFinal else {
            throw Problem(.jobNotFinished, "The job is not finished yet; cancel it first.")
        }
        try await store.clean(job.id)
        signals.notify(job.id)
        return Response(status: .noContent)
    }

    private func answer(_ state: ScanState, _ request: Request) -> Response {
        JSON.envelope(state, metadata: metadata(request))
    }

    private func metadata(_ request: Request) -> [String: String] {
        ["timestamp": JSON.timestamp(now()), "requestId": request.id]
    }

    /// Returns the answer to an upload, with the names of older and newer clients side by side (K-10).
    func accepted(_ job: Job, token: String, _ request: Request) -> Response {
        let (path, stream) = (job.path, "\(job.path)/stream")
        let data = [
            "jobId": job.id, "status": job.state.rawValue, "sseUrl": stream, "streamUrl": stream, "statusUrl": path,
            "token": token, "authToken": token,
        ]
        let links = ["self": path, "stream": stream, "cancel": path]
        var response = JSON.envelope(data, links: links, metadata: metadata(request), status: .accepted)
        response.headers[.location] = path
        return response
    }
}
