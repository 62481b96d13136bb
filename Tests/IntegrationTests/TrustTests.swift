import Basics
import Foundation
import TestSupport
import Testing

/// `spinebench scan` and a real `talaria` that speaks HTTPS with a certificate that no system trusts.
@Suite(
    .tags(.program),
    .inTurns,
    .serialized,
    .needsNetworks
)
struct TrustTests {
    /// Runs `talaria serve` with a separate certificate while `body` runs, which receives its address.
    private func withServer(_ folder: Folder, _ body: (String) throws -> Void) throws {
        let process = Process()
        let program = try #require(Program.path(of: "talaria") ?? Program.path(of: "TalariaCommand"))
        process.executableURL = URL(filePath: program)
        process.arguments = [
            "serve", "--port", "0", "--port-file", folder("port"), "--data", folder("data"), "--images",
            folder("images"), "--rate-limit", "off", "--log-level", "error", "--catalogue", folder("books.sqlite"),
            "--tls-self-signed", folder("certificate.pem"),
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        defer {
            process.terminate()
            process.waitUntilExit()
        }
        while process.isRunning, !folder.contains("port") { usleep(20_000) }
        let address = try folder.text(of: "port").trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(address.hasPrefix("https://127.0.0.1:"))
        try body(address)
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
                let pictures = try FileManager.default.contentsOfDirectory(atPath: folder("images/talaria-pictures"))
                #expect(pictures.filter { !$0.hasPrefix(".") }.isEmpty)

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
