import CommandSupport
import Basics
import Foundation
import HTTPServer
import HTTPTypes
import LocalPages
import ScanningPipeline
import Systems
import VisualSearch

/// A page to try visual search on, on this machine alone, until Ctrl-C.
struct FindServer: Sendable {
    var query: ContentQuery
    /// 0 for a free one.
    var port: Int

    /// Serves requests until Ctrl-C; other users of this machine can reach the port, and have no token.
    func run() async throws {
        let token = PageToken.random()
        let responder = FindResponder(query: query, token: PageToken(command: "find", secret: token))
        let server = LocalPage.server(port: port, respond: responder.respond)
        try await LocalPage.run(server, of: "page", token: token, until: Shutdown())
        try await query.finish()
    }
}

/// Responder for the browser: the page, its parts, and the answers.
struct FindResponder: Sendable {
    let query: ContentQuery
    let token: PageToken
    /// Bytes of the largest picture that is taken.
    static let mostBytes = 64 << 20

    @Sendable func respond(to request: Request) async -> Response {
        if let answer = token.answer(to: request) { return answer }
        let parameters = request.query
        switch (request.method, request.path) {
        case (.get, "/"): return LocalPage.answer(.ok, PackageResources.find_html, "text/html; charset=utf-8")
        case (.get, "/find.css"): return LocalPage.answer(.ok, PackageResources.find_css, "text/css; charset=utf-8")
        case (.get, "/find.js"):
            return LocalPage.answer(.ok, PackageResources.find_js, "text/javascript; charset=utf-8")
        case (.get, "/item"): return await item(parameters["id"] ?? "", language: language(of: request))
        case (.get, "/thumbnail"): return await thumbnail(parameters["id"] ?? "")
        case (.post, "/find"): return await find(request)
        default: return LocalPage.answer(.notFound, "Not found; the page is at /.\n".utf8)
        }
    }

    private func language(of request: Request) -> String {
        EntityWords(language: request.query["language"] ?? "").language
    }

    private func find(_ request: Request) async -> Response {
        let labels = (request.query["labels"] ?? "").split(separator: ",").map { $0.trimmingPrefix(" ") }
        do {
            let bytes = try await request.body.collect(upTo: Self.mostBytes)
            let descriptor = ContentDescriptor(
                labels: labels.map(String.init).filter { !$0.isEmpty },
                picture: bytes.isEmpty ? nil : .file(bytes),
                language: language(of: request)
            )
            return await answer(to: descriptor)
        } catch BodyError.tooLong {
            return LocalPage.problem(.contentTooLarge, "the picture has more than \(Self.mostBytes >> 20) MiB")
        } catch {
            return LocalPage.problem(.badRequest, error.systemReason)
        }
    }

    /// Returns an answer with a line of JSON for each change, the last of which has all of it.
    private func answer(to descriptor: ContentDescriptor) async -> Response {
        let pages = await query.pages(for: descriptor)
        let body = Response.Body.stream { writer in
            func write(_ report: FindReport) async throws {
                try await writer.write(JSONText.line(report) + "\n")
            }
            func report(_ page: ResultPage, after earlier: ResultPage?) -> FindReport {
                FindReport(page, after: earlier, path: nil, labels: descriptor.labels, language: descriptor.language)
            }
            var last: ResultPage?
            do {
                for try await page in pages {
                    try await write(report(page, after: page.isComplete ? nil : last))
                    last = page
                }
            } catch let error where !(error is HangUp) {
                try await write(FindReport(path: nil, labels: descriptor.labels, error: error.systemReason))
            }
        }
        return Response(status: .ok, headers: LocalPage.headers("application/x-ndjson"), body: body)
    }

    private func item(_ url: String, language: String) async -> Response {
        do {
            return try LocalPage.json(FindReport.Item(try await query.item(EntityID(url: url)), language: language))
        } catch let error as EntityError {
            return LocalPage.problem(.notFound, "\(error)")
        } catch {
            return LocalPage.problem(.internalServerError, error.systemReason)
        }
    }

    private func thumbnail(_ url: String) async -> Response {
        guard let id = try? EntityID(url: url) else { return LocalPage.problem(.notFound, "this URL matches nothing") }
        guard let png = try? await query.thumbnail(of: id) else { return LocalPage.answer(.noContent, []) }
        return LocalPage.answer(.ok, png, "image/png")
    }
}
