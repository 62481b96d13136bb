import Foundation
import HTTPServer
import HTTPTypes
import Talaria

/// Address of the API, with who answers it.
struct Route: Sendable {
    let method: HTTPRequest.Method
    /// Path with its variable parts in braces, as in `openapi.json`.
    let path: String
    /// Kind of its requests that are counted here; nil for none.
    let limit: RateLimiter.Kind?
    let answer: @Sendable (Request) async throws -> Response

    init(
        _ method: HTTPRequest.Method,
        _ path: String,
        limit: RateLimiter.Kind? = .others,
        _ answer: @escaping @Sendable (Request) async throws -> Response
    ) {
        (self.method, self.path, self.limit, self.answer) = (method, path, limit, answer)
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
            Route(.post, "/v3/jobs/scans", limit: .scans, upload), Route(.get, "/v3/jobs/scans/{id}", status),
            Route(.delete, "/v3/jobs/scans/{id}", cancel), Route(.get, "/v3/jobs/scans/{id}/stream", stream),
            Route(.get, "/v3/jobs/scans/{id}/results", results),
            Route(.delete, "/v3/jobs/scans/{id}/cleanup", cleanup), Route(.post, "/v3/jobs/enrich", limit: nil, enrich),
            Route(.get, "/v3/books/search", search), Route(.get, "/health", limit: nil, health),
            Route(.get, "/openapi.json", limit: nil, openAPI),
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
            guard request.path.utf8.count + request.queryText.utf8.count < 8_192 else {
                throw Problem(.invalidRequest, "The address is longer than 8192 bytes.", status: .uriTooLong)
            }
            response = try await withFaults(request) {
                guard let route else { throw wrongAddress(found) }
                let client = request.headers[.deviceID].flatMap(DeviceID.init)?.text ?? "unknown"
                let rate = try route.limit.map { try limiter.admit(client: client, $0) } ?? [:]
                var request = request
                request.parameters = route.parameters(of: request.path) ?? [:]
                return try await route.answer(request).with(rate)
            }
        } catch {
            response = problem(error, request).response(requestID: request.id)
        }
        response.headers[.requestID] = request.id
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.cacheControl] = response.headers[.cacheControl] ?? "no-store"
        log.info(
            "request",
            [
                "id": request.id, "method": request.method.rawValue, "route": route?.path ?? "none",
                "status": "\(response.status.code)", "bytesIn": "\(await request.body.received)",
                "milliseconds": "\(start.duration(to: clock.now).milliseconds)",
            ]
        )
        return response
    }

    private func problem(_ error: any Error, _ request: Request) -> Problem {
        switch error {
        case let problem as Problem: return problem
        case RequestError.timedOut:
            return Problem(.requestTimeout, "The body of the request did not arrive in time.")
        case is RequestError: return Problem(.invalidRequest, "The request is invalid.")
        case is CancellationError, is HangUp:
            // It is only logged.
            let status = HTTPResponse.Status(code: 499, reasonPhrase: "Client Closed Request")
            return Problem(.invalidRequest, "The client has hung up.", status: status)
        case let error where error.isNoSpace:
            log.error("no space", ["id": request.id, "error": "\(type(of: error))"])
            return .noRoom
        default:
            // The type alone: an error's text may quote the client's data.
            log.error("request failed", ["id": request.id, "error": "\(type(of: error))"])
            return Problem(.internalError, "The server failed to process the request.")
        }
    }

    private func wrongAddress(_ known: [Route]) -> Problem {
        if known.isEmpty { return Problem(.notFound, "Not found.") }
        let methods = known.flatMap(\.methods).map(\.rawValue).sorted().joined(separator: ", ")
        return Problem(.methodNotAllowed, "This address does not support that method.", fields: [.allow: methods])
    }

    /// Returns the body of a request.
    ///
    /// - Throws: `Problem` for one that is encoded or too long, `RequestError`, `HangUp`.
    func collectBody(_ request: Request, limit: Int) async throws -> [UInt8] {
        guard request.headers[values: .contentEncoding].allSatisfy({ ["", "identity"].contains($0.lowercased()) })
        else {
            // RFC 9110, section 15.5.16: the answer names the encodings that are taken.
            let detail = "The body is encoded; send it without Content-Encoding."
            throw Problem(.unsupportedEncoding, detail, fields: [.acceptEncoding: "identity"])
        }
        do {
            return try await request.body.collect(upTo: limit)
        } catch RequestError.tooLong {
            throw Problem(.fileTooLarge, "The body is longer than \(limit) bytes.")
        }
    }
}
