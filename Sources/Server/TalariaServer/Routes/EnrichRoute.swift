import Basics
import Foundation
import HTTPServer
import HTTPTypes
import Talaria

extension TalariaServer {
    /// Answers `POST /v3/jobs/enrich`: text in, book out, as JSON at once, or as a stream for clients that ask for
    /// one (K-7).
    func enrich(_ request: Request) async throws -> Response {
        let parameter = request.query["stream"]
        guard parameter == nil || parameter == "0" || parameter == "1" else {
            throw Problem(.invalidRequest, "The parameter stream must be 0 or 1.")
        }
        let bytes = try await collectBody(request, limit: 64 << 10)
        let message = try decoded(bytes)
        guard let device = DeviceID(message.deviceID.uuidString) else {
            throw Problem(.invalidRequest, "device_id must be a UUID of version 4.")
        }
        let rate = try limiter.admit(client: device.text, .enrichments)
        // Longer lines are not on a spine.
        let lines = message.rawText.split(whereSeparator: \.isNewline).map { line in
            RemoteLine(text: String(line.unicodeScalars.prefix(500)))
        }
        guard lines.contains(where: \.text.hasLetterOrNumber) else {
            throw Problem(.noTextDetected, "raw_text contains no letters or digits.")
        }
        guard lines.count <= 100 else { throw Problem(.invalidRequest, "raw_text has more than 100 lines.") }
        let book = try await resolvingQueue.run { [resolver] in try resolver.resolve(lines) }
        let wantsStream = parameter == "1" || request.acceptsEvents
        return (wantsStream ? try stream(book) : JSON.response(book.enriched)).with(rate)
    }

    /// Decodes the request in the body; a fault contains the name of the field alone, as the text is private.
    private func decoded(_ bytes: [UInt8]) throws -> EnrichRequest {
        do {
            return try WireJSON.decode(EnrichRequest.self, from: Data(bytes))
        } catch {
            throw Problem(
                .invalidRequest,
                "The body must be JSON with raw_text (text) and device_id (UUID); geometry is optional, and has "
                    + "bounding_box (four numbers from 0 to 1) and orientation."
            )
        }
    }

    private func stream(_ book: BookMetadata) throws -> Response {
        var completion = ScanCompletion(books: [book])
        completion.completedAt = JSON.timestamp(now())
        let progress = ScanProgress(progress: 0.95, status: "enriching_metadata")
        var bytes = Array(EventWriter.opening.utf8)
        for event in [ScanEvent.result(ScanResult(book: book, progress: progress)), .completed(completion)] {
            bytes += try stored(event, of: "").bytes
        }
        return Response(status: .ok, headers: EventWriter.headers, body: .bytes(bytes))
    }
}
