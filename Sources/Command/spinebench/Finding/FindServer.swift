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
        let language = EntityWords(language: parameters["language"] ?? "").language
        do {
            switch (request.method, request.path) {
            case (.get, "/item"):
                return try await LocalPage.json(query.item(id(parameters)).json(language: language))
            case (.get, "/thumbnail"):
                guard let png = try await query.thumbnail(of: id(parameters)) else {
                    return LocalPage.answer(.noContent, [])
                }
                return LocalPage.answer(.ok, png, "image/png")
            case (.post, "/find"):
                let labels = (parameters["labels"] ?? "").split(separator: ",").map { String($0.trimmingPrefix(" ")) }
                let bytes = try await request.body.collect(upTo: Self.mostBytes)
                let picture = bytes.isEmpty ? nil : ContentDescriptor.Picture.file(bytes)
                return await answer(
                    to: ContentDescriptor(labels: labels.filter { !$0.isEmpty }, picture: picture, language: language)
                )
            default: return LocalPage.answer(.notFound, "Not found; the page is at /.\n".utf8)
            }
        } catch let error as EntityError {
            return LocalPage.problem(.notFound, "\(error)")
        } catch RequestError.tooLong {
            return LocalPage.problem(.contentTooLarge, "the picture has more than \(Self.mostBytes >> 20) MiB")
        } catch {
            return LocalPage.problem(.internalServerError, error.systemReason)
        }
    }

    private func id(_ parameters: [String: String]) throws -> EntityID { try EntityID(url: parameters["id"] ?? "") }

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
}
