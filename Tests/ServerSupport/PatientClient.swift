public import HTTPTypes
public import Hummingbird
internal import HummingbirdTesting
public import NIOCore

/// A client of a server under test that waits for an answer as long as it takes.
///
/// Hummingbird's own test client gives up after 20 s, which a busy machine may need.
public struct PatientClient: Sendable {
    /// Answer of the server.
    public struct Response: Sendable {
        /// Status of the answer.
        public var status: HTTPResponse.Status
        /// Header fields of the answer.
        public var headers: HTTPFields
        /// Whole body of the answer.
        public var body: ByteBuffer
    }

    /// Port of the server on this machine.
    public let port: Int?
    private let client: TestClient

    /// Sends a request and waits for the whole answer.
    ///
    /// - Throws: when the connection ends before the answer is there.
    public func executeRequest(
        uri: String,
        method: HTTPRequest.Method,
        headers: HTTPFields = [:],
        body: ByteBuffer? = nil
    ) async throws -> Response {
        var headers = headers
        headers[.connection] = "keep-alive"
        let answer = try await client.execute(
            TestClient.Request(uri, method: method, authority: "localhost", headers: headers, body: body)
        )
        return Response(status: answer.status, headers: answer.headers, body: answer.body ?? ByteBuffer())
    }

    fileprivate init(port: Int) {
        self.port = port
        client = TestClient(host: "localhost", port: port, configuration: .init(timeout: .seconds(86_400)))
        client.connect()
    }

    fileprivate func shutdown() async throws { try await client.shutdown() }
}

extension ApplicationProtocol {
    /// Runs the application on a free port of this machine while `test` talks to it.
    ///
    /// - Throws: the errors of `test` and the application.
    public func serve<Value>(_ test: @Sendable (PatientClient) async throws -> Value) async throws -> Value {
        try await self.test(.live) { served in
            guard let port = served.port else { throw CancellationError() }
            let client = PatientClient(port: port)
            do {
                let value = try await test(client)
                try await client.shutdown()
                return value
            } catch {
                try await client.shutdown()
                throw error
            }
        }
    }
}
