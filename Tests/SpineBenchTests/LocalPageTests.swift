import HTTPServer
import HTTPTypes
import LocalPages
import ServerSupport
import TestSupport
import Testing

/// What all pages of this machine have in common.
@Suite(.inTurns) struct LocalPageTests {
    @Test(arguments: [
        (HTTPRequest.Method.get, 200), (.post, 200), (.head, 200), (.put, 405), (.delete, 405),
    ])
    func everythingIsSafeToOpen(method: HTTPRequest.Method, status: Int) async throws {
        let page = LocalPage(command: "test", html: [], style: [], script: [], token: "abc")
        let server = page.server(port: 0) { request in
            LocalPage.answer(.ok, "\(request.method)".utf8, "text/html; charset=utf-8")
        }
        try await server.serve { client in
            var headers: HTTPFields = [.cookie: "spinebench-test-80=abc"]
            headers[try #require(HTTPField.Name("x-spinebench"))] = "1"
            let response = try await client.send(method, "/other", headers: headers)
            #expect(response.status.code == status)
            #expect(
                response.headers[.contentType] == (status == 200 ? "text/html" : "text/plain") + "; charset=utf-8"
            )
            #expect(response.headers[.cacheControl] == "no-store")
            #expect(response.headers[.xContentTypeOptions] == "nosniff")
            #expect(
                response.headers[.contentSecurityPolicy]?.hasPrefix("default-src 'none'; script-src 'self'") == true
            )
            #expect(response.headers[.allow] == (status == 405 ? "GET, POST, HEAD" : nil))
            // HEAD is answered as GET is, without the body.
            if status == 200 { #expect(response.text == (method == .head ? "" : "\(method)")) }
        }
    }

    @Test(
        arguments: [
            ("127.0.0.1:8765", true), ("localhost", true), ("LOCALHOST:1", true), ("[::1]:80", true),
            ("evil.example:8765", false), ("127.0.0.1.evil.example", false), ("", false), (nil, false),
        ] as [(String?, Bool)]
    )
    func onlyThisMachineIsAnswered(authority: String?, isLocal: Bool) {
        #expect(LocalPage.isLocal(authority) == isLocal)
    }
}
