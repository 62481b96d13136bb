import Foundation
import TestSupport
import Testing

/// `scripts/comment.sh`, with a stand-in of GitHub's and GitLab's API (`Tests/comments/server.py`).
@Suite(.tags(.program), .inTurns, .serialized, .enabled(if: CommentServer.hasTools, "curl, jq or python3 is missing"))
struct CommentTests {
    private func comment(
        _ server: CommentServer,
        _ texts: [String],
        gitLab: Bool = false,
        environment: [String: String] = [:]
    ) throws -> (code: Int32, output: String) {
        let script = URL(filePath: #filePath).appending(path: "../../../scripts/comment.sh").standardizedFileURL.path
        let files = try texts.enumerated().map { index, text in
            try server.folder.write(text, to: "text\(index)")
            return server.folder("text\(index)")
        }
        return try server.run(["/bin/sh", script] + files + [server.folder("missing")], gitLab, environment)
    }

    @Test(arguments: [false, true])
    func oneCommentIsKeptUpToDate(gitLab: Bool) throws {
        try CommentServer.with { server in
            #expect(try comment(server, ["first \"é\"", "# more"], gitLab: gitLab).output == "Comment 1000 is new.\n")
            #expect(try server.bodies() == ["<!-- spinebench -->\nfirst \"é\"\n# more\n"])
            let second = try comment(server, ["second"], gitLab: gitLab)
            #expect(second.code == 0 && second.output == "Comment 1000 is up to date.\n")
            #expect(try server.bodies() == ["<!-- spinebench -->\nsecond\n"])
            // Another gate has a comment of its own.
            let other = try comment(server, ["other"], gitLab: gitLab, environment: ["NAME": "shelves"])
            #expect(other.output == "Comment 1001 is new.\n")
            #expect(try server.bodies().count == 2)
        }
    }

    @Test func aDeletedCommentIsWrittenAnew() throws {
        try CommentServer.with { server in
            _ = try comment(server, ["first"])
            try server.folder.write("[]", to: "comments.json")
            #expect(try comment(server, ["second"]).output == "Comment 1000 is new.\n")
            // Deleted between the list and the change.
            try server.folder.write("", to: "gone")
            #expect(try comment(server, ["third"]).output == "Comment 1000 is new.\n")
            #expect(try server.bodies() == ["<!-- spinebench -->\nthird\n"])
            let writes = try server.folder.lines(of: "requests").filter { !$0.hasPrefix("GET") }.map { $0.prefix(5) }
            #expect(writes == ["POST ", "POST ", "PATCH", "POST "])
        }
    }

    @Test func itIsFoundBehindAHundredOthers() throws {
        try CommentServer.with { server in
            let others = (0..<100).map { "{\"id\": \($0), \"body\": \"see <!-- spinebench -->\"}" }
            let own = "{\"id\": 500, \"body\": \"<!-- spinebench -->\\nold\"}"
            try server.folder.write("[\((others + [own]).joined(separator: ","))]", to: "comments.json")
            #expect(try comment(server, ["new"]).output == "Comment 500 is up to date.\n")
        }
    }

    @Test(arguments: [false, true])
    func whatMayNotCommentDoesNotFail(gitLab: Bool) throws {
        try CommentServer.with { server in
            try server.folder.write("403", to: "status")
            let fork = try comment(server, ["first"], gitLab: gitLab)
            #expect(fork.code == 0 && fork.output.hasPrefix("No comment: the token may not comment (HTTP 403), as in"))
            try server.folder.write("502", to: "status")
            let outage = try comment(server, ["first"], gitLab: gitLab)
            #expect(outage.code == 0 && outage.output.hasPrefix("No comment: HTTP 502 from http://"))
            let wrong = ["GITHUB_TOKEN": "wrong", "SPINEBENCH_TOKEN": "wrong"]
            #expect(try comment(server, ["first"], gitLab: gitLab, environment: wrong).output.contains("HTTP 401"))
            let none = ["GITHUB_TOKEN": "", "SPINEBENCH_TOKEN": ""]
            #expect(
                try comment(server, ["x"], gitLab: gitLab, environment: none).output == "No comment: no token is set.\n"
            )
            #expect(try comment(server, [], gitLab: gitLab).output.hasPrefix("No comment: none of"))
            #expect(!server.folder.contains("comments.json"))
        }
    }

    @Test func aLongTextIsCutBetweenCharacters() throws {
        try CommentServer.with { server in
            _ = try comment(server, [String(repeating: "é", count: 70_000)])
            let body = try #require(try server.bodies().first)
            // GitHub's limit is 65,536 characters.
            #expect(
                (60_000..<60_200).contains(body.count) && body.hasSuffix("é\n\n… truncated; the reports are complete.")
            )
        }
    }
}

/// A running stand-in, in a process that ends with its input.
final class CommentServer {
    static let hasTools = ["curl", "jq", "python3"].allSatisfy { tool in
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [tool, "--version"]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    let folder: Folder
    private let process = Process()
    private let (input, output) = (Pipe(), Pipe())
    private let address: String

    private init(_ folder: Folder) throws {
        self.folder = folder
        let script = URL(filePath: #filePath).appending(path: "../../comments/server.py").standardizedFileURL.path
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-B", script, folder.path]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        var line = ""
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0A {
            line.unicodeScalars.append(Unicode.Scalar(byte))
        }
        address = "http://127.0.0.1:\(try #require(Int(line)))"
    }

    static func with(_ body: (CommentServer) throws -> Void) throws {
        try Folder.with { folder in
            let server = try CommentServer(folder)
            defer {
                try? server.input.fileHandleForWriting.close()
                server.process.waitUntilExit()
            }
            try body(server)
        }
    }

    /// Variables of a job of either service.
    func variables(gitLab: Bool) -> [String: String] {
        gitLab
            ? [
                "CI_API_V4_URL": address, "CI_PROJECT_ID": "3", "CI_MERGE_REQUEST_IID": "7",
                "SPINEBENCH_TOKEN": "secret",
            ]
            : [
                "GITHUB_API_URL": address, "GITHUB_REPOSITORY": "me/books", "PULL_REQUEST": "7",
                "GITHUB_TOKEN": "secret",
            ]
    }

    func run(
        _ command: [String],
        _ gitLab: Bool,
        _ environment: [String: String]
    ) throws -> (code: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        process.environment = ["PATH": path].merging(variables(gitLab: gitLab)) { $1 }.merging(environment) { $1 }
        let output = Pipe()
        (process.standardOutput, process.standardError) = (output, output)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    func bodies() throws -> [String] {
        struct Comment: Decodable { var body: String }
        return try JSONDecoder().decode([Comment].self, from: Data(folder.text(of: "comments.json").utf8)).map(\.body)
    }
}
