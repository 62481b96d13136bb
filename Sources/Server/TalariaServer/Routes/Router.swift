import Foundation
import HTTPServer
import HTTPTypes
import Talaria

/// Address of the API, with who answers it.
struct Route: Sendable {
    let method: HTTPRequest.Method
    /// Path with its variable parts in braces, as in `openapi.json`.
    let path: String
    let answer: @Sendable (Request) async throws -> Response

    init(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ answer: @escaping @Sendable (Request) async throws -> Response
    ) {
        (self.method, self.path, self.answer) = (method, path, answer)
    }

    /// Methods that it answers: HEAD wherever there is GET.
    var methods: [HTTPRequest.Method] { method == .get ? [.get, .head] : [method] }

    /// Returns the variable parts of a path; nil for another address.
    func parameters(of given: String) -> [String: String]? {
        let (own, given) = (path.split(separator: "/"), given.split(separator: "/"))
        guard own.count == given.count else { return nil }
        var parameters: [String: String] = [:]
        for (name, part) in zip(own, given) {
            if name.hasPrefix("{") {
                parameters[String(name.dropFirst().dropLast())] = String(part)
            } else if name != part {
                return nil
            }
        }
        return parameters
    }
}

extension TalariaServer {
    /// All routes; `openapi.json` describes the same.
    var routes: [Route] {
        [
            Route(.post, "/v3/jobs/scans", upload), Route(.get, "/v3/jobs/scans/{id}", status),
            Route(.delete, "/v3/jobs/scans/{id}", cancel), Route(.get, "/v3/jobs/scans/{id}/stream", stream),
            Route(.get, "/v3/jobs/scans/{id}/results", results),
            Route(.delete, "/v3/jobs/scans/{id}/cleanup", cleanup), Route(.post, "/v3/jobs/enrich", enrich),
            Route(.get, "/v3/books/search", search), Route(.get, "/health", health), Route(.get, "/ready", ready),
            Route(.get, "/metrics", showMetrics), Route(.get, "/openapi.json", openAPI),
        ]
    }

    /// Answers a request, and logs one line with method, route, status and time.
    ///
    /// Paths, queries and bodies are never logged: they may contain read text.
    func respond(to request: Request, _ routes: [Route]) async -> Response {
        let start = clock.now
        let found = routes.filter { $0.parameters(of: request.path) != nil }
        let route = found.first { $0.methods.contains(request.method) }
        var response: Response
        do {
            guard request.path.utf8.count + request.queryText.utf8.count < limits.urlBytes else {
                let detail = "The address is longer than \(limits.urlBytes) bytes."
                throw Problem(.uriTooLong, .invalidRequest, detail)
            }
            response = try await withFaults(request) {
                guard let route else { throw Problem.wrongAddress(allowed: found.flatMap(\.methods)) }
                var request = request
                request.parameters = route.parameters(of: request.path) ?? [:]
                return try await route.answer(request)
            }
        } catch {
            response = problem(error, request).response(requestID: request.id)
        }
        response.headers[.requestID] = request.id
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.cacheControl] = response.headers[.cacheControl] ?? "no-store"
        let (method, status, duration) = (request.method.rawValue, response.status.code, start.duration(to: clock.now))
        let path = route?.path ?? "none"
        metrics.requestEnded(method: method, route: path, status: status, after: duration)
        log.info(
            "request",
            [
                "id": request.id, "method": method, "route": path, "status": "\(status)",
                "milliseconds": "\(duration.milliseconds)", "bytesIn": "\(await request.body.received)",
            ]
        )
        return response
    }

    private func problem(_ error: any Error, _ request: Request) -> Problem {
        switch error {
        case let problem as Problem: return problem
        case BodyError.timedOut: return .bodyTimedOut
        case is BodyError: return .invalidRequest("The request is invalid.")
        case is CancellationError, is HangUp: return .clientIsGone
        case let error where error.isNoSpace:
            storage.set(isFull: true)
            log.error("no space", ["id": request.id, "error": "\(type(of: error))"])
            return .noRoom
        default:
            // The type alone: an error's text may quote the client's data.
            log.error("request failed", ["id": request.id, "error": "\(type(of: error))"])
            return .internalError
        }
    }

    /// Returns the body of a request.
    ///
    /// - Throws: `Problem` for one that is encoded or too long, `BodyError`, `HangUp`.
    func collectBody(_ request: Request, limit: Int) async throws -> [UInt8] {
        do {
            return try await plainBody(request).collect(upTo: limit)
        } catch BodyError.tooLong {
            throw Problem.tooLarge("The body is longer than \(limit) bytes.")
        }
    }

    /// Returns a body that has no content encoding.
    func plainBody(_ request: Request) throws -> RequestBody {
        guard request.headers[values: .contentEncoding].allSatisfy({ ["", "identity"].contains($0.lowercased()) })
        else { throw Problem.encodedBody }
        return request.body
    }
}
