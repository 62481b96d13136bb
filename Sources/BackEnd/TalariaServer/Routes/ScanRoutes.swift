import Foundation
import HTTPTypes
import Hummingbird
import Talaria

/// Everything about a job that was accepted, but for its stream.
struct ScanRoutes: Sendable {
    var store: JobStore
    var files: JobFiles
    var queue: JobQueue
    var events: JobEvents
    var access: JobAccess
    var limiter: RateLimiter
    var metrics: ServerMetrics

    /// `GET /v3/jobs/scans/{id}`.
    func status(_ request: Request, context: TalariaContext) async throws -> Response {
        let (job, rate) = try await admitted(request, context, proof: .device)
        let state = ScanState(
            jobID: job.id,
            status: JobStatus(name: job.state.rawValue),
            progress: job.progress,
            processedCount: job.state.isFinal ? job.photos : 0,
            totalCount: job.photos,
            stage: job.state == .completed ? .complete : nil,
            resultsLocation: job.state == .completed ? ScanPaths(id: job.id).results : nil,
            problem: try await problem(of: job)
        )
        return answer(state, rate, context)
    }

    /// `GET /v3/jobs/scans/{id}/results?format=full|lite`.
    func results(_ request: Request, context: TalariaContext) async throws -> Response {
        let (job, rate) = try await admitted(request, context, proof: .token)
        let name = request.uri.queryParameters.get("format") ?? "full"
        guard let format = ScanResults.Format(rawValue: name) else {
            throw Problem.invalidRequest("The format of results is full or lite.")
        }
        guard let data = try await store.result(of: job.id) else {
            throw job.state.isFinal
                ? Problem.conflict(.notFound, "The job ended without results.")
                : Problem.conflict(.jobNotFinished, "The job is not finished yet.", retryable: true)
        }
        let results = try WireJSON.decode(ScanResults.self, from: data)
        var response = JSON.response(try results.encoded(as: format))
        response.headers.append(contentsOf: rate)
        return response
    }

    /// `DELETE /v3/jobs/scans/{id}`.
    func cancel(_ request: Request, context: TalariaContext) async throws -> Response {
        let (job, rate) = try await admitted(request, context, proof: .device)
        let event = try events.stored(.canceled)
        guard try await store.move(job.id, to: .canceled, at: events.now(), events: [event]) else {
            throw Problem.conflict(.jobAlreadyFinished, "The job has ended and cannot be canceled.")
        }
        if queue.withdraw(job) { files.remove(job.id) }
        events.signals.notify(job.id)
        metrics.jobEnded(.canceled, after: nil)
        return answer(ScanState(jobID: job.id, status: .canceled, totalCount: job.photos), rate, context)
    }

    /// `DELETE /v3/jobs/scans/{id}/cleanup`.
    ///
    /// A job that is not over is left alone: what a client throws away by mistake cannot be had again (K-29).
    func cleanup(_ request: Request, context: TalariaContext) async throws -> Response {
        let (job, rate) = try await admitted(request, context, proof: .device)
        guard job.state.isFinal else {
            throw Problem.conflict(.jobNotFinished, "The job is not finished yet; cancel it first.", retryable: true)
        }
        try await store.remove(job.id)
        files.remove(job.id)
        events.signals.notify(job.id)
        return Response(status: .noContent, headers: rate)
    }

    private func admitted(
        _ request: Request,
        _ context: TalariaContext,
        proof: JobAccess.Proof
    ) async throws -> (Job, HTTPFields) {
        let rate = try await limiter.admit(client: DeviceID(of: request).text, .others)
        return (try await access.job(request, context, proof: proof), rate)
    }

    private func answer(_ state: ScanState, _ rate: HTTPFields, _ context: TalariaContext) -> Response {
        var response = JSON.response(Envelope(state, date: events.now(), requestID: context.requestID))
        response.headers.append(contentsOf: rate)
        return response
    }

    /// Why a job failed: what its stream said.
    private func problem(of job: Job) async throws -> ProblemDetails? {
        guard job.state == .failed, let event = try await store.events(of: job.id, after: 0).last else { return nil }
        return try WireJSON.decode(ProblemDetails.self, from: Data(event.data.utf8))
    }
}
