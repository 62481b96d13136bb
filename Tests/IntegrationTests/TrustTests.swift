import Basics
import Foundation
import TestSupport
import Testing

/// `spinebench scan` and a real `talaria` behind a TLS proxy with a certificate that no system trusts.
@Suite(
    .tags(.program),
    .inTurns,
    .serialized,
    .needsNetworks
)
struct TrustTests {
    /// TLS proxy on a free port, which it writes into a file: of the port that it passes requests to, that file, and
    /// files with its certificate and its key.
    private static let proxy = """
        import pathlib, socket, socketserver, ssl, sys, threading
        target, port_file, certificate, key = sys.argv[1:]
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        def pipe(source, sink):
            try:
                while data := source.recv(65536):
                    sink.sendall(data)
                sink.shutdown(socket.SHUT_WR)
            except OSError:
                pass
        class Proxy(socketserver.BaseRequestHandler):
            def handle(self):
                try:
                    client = context.wrap_socket(self.request, server_side=True)
                except OSError:
                    return
                with client, socket.create_connection(("127.0.0.1", int(target))) as server:
                    back = threading.Thread(target=pipe, args=(server, client), daemon=True)
                    back.start()
                    pipe(client, server)
                    back.join()
        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True
        with Server(("127.0.0.1", 0), Proxy) as server:
            pathlib.Path(port_file).write_text(f"{server.server_address[1]}\\n")
            server.serve_forever()
        """

    /// Starts a program, and returns the last part of the line that it writes into a file, behind the last colon.
    private func start(_ program: String, _ arguments: [String], writing file: String) throws -> (Process, String) {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.start()
        var line = ""
        while process.isRunning, !line.hasSuffix("\n") {
            usleep(20_000)
            line = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        }
        let port = line.trimmingCharacters(in: .whitespacesAndNewlines).split(separator: ":").last
        return (process, String(try #require(port)))
    }

    /// Runs `talaria serve` behind a TLS proxy while `body` runs, which receives its address.
    private func withServer(_ folder: Folder, _ body: (String) throws -> Void) throws {
        let program = try #require(Program.path(of: "talaria") ?? Program.path(of: "TalariaCommand"))
        let (talaria, target) = try start(
            program,
            [
                "serve", "--port", "0", "--port-file", folder("port"), "--data", folder("data"), "--rate-limit",
                "off", "--log-level", "error", "--catalogue", folder("books.sqlite"),
            ],
            writing: folder("port")
        )
        defer { Self.end(talaria) }
        let (certificate, key) = (folder("certificate.pem"), folder("key.pem"))
        let openssl = try Process.run(
            URL(filePath: "/usr/bin/env"),
            arguments: [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                "2", "-subj", "/CN=talaria", "-addext", "subjectAltName=IP:127.0.0.1", "-addext",
                "basicConstraints=critical,CA:FALSE", "-keyout", key, "-out", certificate,
            ]
        )
        openssl.waitUntilExit()
        let (proxy, port) = try start(
            "/usr/bin/env",
            ["python3", "-c", Self.proxy, target, folder("tls-port"), certificate, key],
            writing: folder("tls-port")
        )
        defer { Self.end(proxy) }
        try body("https://127.0.0.1:\(port)")
    }

    private static func end(_ process: Process) {
        process.terminate()
        process.waitUntilExit()
    }

    @Test("a server that is not trusted gets nothing, and the scan waits until it is")
    func trust() throws {
        try Folder.with { folder in
            try folder.write(TestPicture.line(), to: "a.png")
            try folder.write("title,author\nWinter Harbour,Ida Bloom\n", to: "books.csv")
            let built = try Program.run("catalogue", "build", folder("books.csv"), "--out", folder("books.sqlite"))
            try #require(built.code == 0, "\(built.errors)")
            try withServer(folder) { address in
                let scan = [
                    "scan", "--library", folder("library.sqlite"), "--talaria", address, "--variant", "talaria-only",
                ]
                let unknown = try Program.run(scan + [folder("a.png")])
                #expect(unknown.code == 3, "\(unknown.errors)")
                #expect(unknown.output.contains("stays queued: the certificate of 127.0.0.1 is not trusted"))
                #expect(unknown.output.contains("1 scan in the queue"))

                let pin = "sha256:" + Data(count: 32).base64EncodedString()
                let trusted = scan + ["--ca-file", folder("certificate.pem")]
                let pinned = try Program.run(trusted + ["--pin", pin, folder("a.png")])
                #expect(pinned.code == 3)
                #expect(pinned.output.contains("2 scans in the queue"))
                let words = try #require(
                    pinned.output.firstMatch(of: /127\.0\.0\.1 has the key sha256\/([^,]+), which/)
                )
                // Each job has an event with such an id.
                for file in try FileManager.default.contentsOfDirectory(atPath: folder("data")) {
                    let bytes = FileManager.default.contents(atPath: folder("data/\(file)")) ?? Data()
                    #expect(bytes.range(of: Data("-initial".utf8)) == nil, "\(file)")
                }

                // The pause of both is over at once: they are asked for again by hand.
                #expect(try Program.run("library", "list", "--library", folder("library.sqlite")).code == 0)
                let ids = try Program.run("library", "list", "--library", folder("library.sqlite")).lines
                    .filter { $0.hasPrefix("queued  ") }.map { String($0.split(separator: " ")[1]) }
                #expect(try Program.run(["library", "retry", "--library", folder("library.sqlite")] + ids).code == 0)
                let drained = try Program.run(trusted + ["--drain", "--pin", "sha256:\(words.1)"])
                #expect(drained.code == 0, "\(drained.output) \(drained.errors)")
                #expect(drained.output.contains("2 queued scans answered"))
                let listed = try Program.run("library", "list", "--library", folder("library.sqlite"))
                #expect(listed.lines.last == "1 book, 0 drafts, 0 scans queued")
            }
        }
    }
}
