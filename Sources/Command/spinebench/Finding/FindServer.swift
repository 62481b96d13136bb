import Basics
import CommandSupport
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
    /// Bytes of the largest picture that is taken.
    private static let mostBytes = 64 << 20

    /// Serves requests until Ctrl-C, on a port, 0 for a free one.
    func run(port: Int) async throws {
        let page = LocalPage(
            command: "find",
            html: PackageResources.find_html,
            style: PackageResources.find_css,
            script: PackageResources.find_js
        )
        try await page.run(port: port, until: Shutdown(), respond: respond)
        try await query.finish()
    }

    @Sendable private func respond(to request: Request) async -> Response {
        let parameters = request.query
        switch (request.method, request.path) {
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
        } catch RequestError.tooLong {
            return LocalPage.problem(.contentTooLarge, "the picture has more than \(Self.mostBytes >> 20) MiB")
        } catch {
            return LocalPage.problem(.badRequest, error.systemReason)
        }
    }

    /// Returns an answer with a line of JSON for each change, the last of which has all of it.
    private func answer(to descriptor: ContentDescriptor) async -> Response {
        let pages = await query.pages(for: descriptor)
        let body = Response.Body.stream { writer in
            func write(_ page: ResultPage?, error: String? = nil) async throws {
                let answer = Members(page, labels: descriptor.labels, error: error)
                try await writer.write(JSONText.line(answer) + "\n")
            }
            var last: ResultPage?
            do {
                for try await page in pages {
                    try await write(page.news(since: last))
                    last = page
                }
            } catch let error where !(error is HangUp) {
                try await write(nil, error: error.systemReason)
            }
        }
        return Response(status: .ok, headers: LocalPage.headers("application/x-ndjson"), body: body)
    }

    private func item(_ url: String, language: String) async -> Response {
        do {
            return try await LocalPage.json(query.item(EntityID(url: url)).json(language: language))
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
