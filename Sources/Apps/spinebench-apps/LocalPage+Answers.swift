import Composition
import HTTPTypes
import Hummingbird

extension LocalPage {
    /// Header of the page's own requests, which another site's page cannot send.
    static let ownHeader = "x-spinebench"

    /// Returns the refusal of a request that another site's page sent; nil for one of the page's own.
    static func foreignRefusal(of request: Request) -> Response? {
        if let name = HTTPField.Name(ownHeader), request.headers[name] != nil { return nil }
        return problem(.forbidden, "requests from other pages are not allowed")
    }

    static func json(_ value: some Encodable, _ status: HTTPResponse.Status = .ok) throws -> Response {
        answer(status, try JSONText.line(value).utf8, "application/json")
    }

    static func problem(_ status: HTTPResponse.Status, _ text: String) -> Response {
        answer(status, ((try? JSONText.line(["error": text])) ?? "{}").utf8, "application/json")
    }
}
