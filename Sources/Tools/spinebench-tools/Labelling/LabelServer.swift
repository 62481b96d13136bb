import Basics
import CommandSupport
import Foundation
import HTTPServer
import HTTPTypes
import Imaging
import LocalPages
import SpineDatasets
import Systems

/// The page for labelling, on this machine alone, until Ctrl-C.
struct LabelServer: Sendable {
    var store: LabelStore
    /// Writes the dataset, and returns a line about it.
    var write: @Sendable () async throws -> String
    /// 0 for a free one.
    var port: Int
    var token = LocalPage.newToken()

    private var page: LocalPage {
        LocalPage(
            command: "label",
            html: PackageResources.label_html,
            style: PackageResources.label_css,
            script: PackageResources.label_js,
            token: token
        )
    }

    /// Serves the page until Ctrl-C.
    func run() async throws { try await page.run(port: port, until: Shutdown(), respond: respond) }

    var server: HTTPServer { page.server(port: port, respond: respond) }

    @Sendable func respond(to request: Request) async -> Response {
        do {
            return try await answer(request)
        } catch let error as InputError {
            return LocalPage.problem(.unprocessableContent, error.description)
        } catch is DecodingError {
            return LocalPage.problem(.badRequest, "invalid request: reload the page")
        } catch RequestError.tooLong {
            return LocalPage.problem(.contentTooLarge, "an answer has at most 256 KiB")
        } catch {
            return LocalPage.problem(.internalServerError, error.systemReason)
        }
    }

    private func answer(_ request: Request) async throws -> Response {
        switch (request.method, request.path) {
        case (.get, "/api/overview"): return try LocalPage.json(await store.overview())
        case (.get, "/api/photo"):
            guard let view = try await store.view(number(request)) else {
                let problem = await store.problem.map { "\($0)" }
                return try problem.map { try LocalPage.json(["waiting": $0]) } ?? LocalPage.answer(.noContent, [])
            }
            return try LocalPage.json(view)
        case (.get, "/picture"):
            let (photo, proposer) = (try await store.photo(number(request)), store.proposer)
            return LocalPage.answer(.ok, try await OwnThread.run { try proposer.picture(photo) }, "image/jpeg")
        case (.get, "/crop"): return try await crop(request)
        case (.post, "/api/answer"):
            let answer: LabelStore.Answer = try await body(of: request)
            if answer.act == .outline { return try LocalPage.json(await store.draw(answer)) }
            try await store.answer(answer)
            return try LocalPage.json(await store.overview())
        case (.post, "/api/write"): return try LocalPage.json(["text": await write()])
        default: return LocalPage.problem(.notFound, "not found; the page is at /")
        }
    }

    private func number(_ request: Request) -> Int? { request.query["photo"].flatMap { Int($0) } }

    private func body<Value: Decodable>(of request: Request) async throws -> Value {
        let bytes = try await request.body.collect(upTo: 256 << 10)
        return try JSONDecoder().decode(Value.self, from: Data(bytes))
    }

    /// Returns an outline's inside, turned so that its text reads from left to right.
    private func crop(_ request: Request) async throws -> Response {
        let parameters = request.query
        let numbers = (parameters["quad"] ?? "").split(separator: ",").compactMap { Double($0) }.filter(\.isFinite)
        let turns: [String: QuarterTurn] = [
            "upright": .none, "cw": .counterclockwise, "ccw": .clockwise, "inverted": .half,
        ]
        guard numbers.count == 8, let turn = parameters["turn"].flatMap({ turns[$0] }) else {
            throw InputError("invalid quad or turn: expected eight numbers and an orientation")
        }
        let quad = Quad(corners: stride(from: 0, to: 8, by: 2).map { Point(x: numbers[$0], y: numbers[$0 + 1]) })
        let (photo, proposer) = (try await store.photo(number(request)), store.proposer)
        let jpeg = try await OwnThread.run {
            let crop = try proposer.crop(quad, of: photo).fitted(to: 1_600)
            return try ImageCodec.encodeJPEG(crop.rotated(turn), quality: 90)
        }
        return LocalPage.answer(.ok, jpeg, "image/jpeg")
    }
}
