import Basics
import Foundation
import Imaging
import TestSupport
import Testing

/// `spinebench read`.
@Suite(.inTurns, .needsProgram)
struct ReadCommandTests {
    /// Line of `read --json`: a reading, or an error.
    private struct Answer: Decodable {
        struct Line: Decodable {
            let text: String
            let confidence: Double
            let quad: Quad
        }

        let path: String
        let orientation: String?
        let milliseconds: Double?
        let lines: [Line]?
        let error: String?
    }

    private func answers(_ outcome: Program.Outcome) throws -> [Answer] {
        try outcome.lines.map { try JSONDecoder().decode(Answer.self, from: Data($0.utf8)) }
    }

    /// Returns a folder with a readable picture, a truncated one, and a file that is not a picture.
    private func withPictures(_ body: (Folder) throws -> Void) throws {
        try Folder.with { folder in
            let picture = try TestPicture.line()
            try folder.write(picture, to: "in/good.png")
            try folder.write(Array(picture.prefix(picture.count / 2)), to: "in/broken.png")
            try folder.write("a note", to: "in/notes.txt")
            try body(folder)
        }
    }

    @Test(
        "the pictures of a folder are read, and a broken one has a line that says so",
        arguments: ["tesseract", "fast"]
    )
    func json(_ variant: String) throws {
        try withPictures { folder in
            let outcome = try Program.run("read", folder("in"), "--json", "--variant", variant)
            // The broken picture makes the whole call fail, after everything else was read.
            #expect(outcome.code == 1)
            let answers = try answers(outcome)
            // Only files named like a picture are searched in a folder, in the order of names.
            #expect(answers.map(\.path) == [folder("in/broken.png"), folder("in/good.png")])

            let broken = try #require(answers.first)
            #expect(broken.error?.contains("broken.png") == true)
            #expect(broken.lines == nil && broken.milliseconds == nil)

            let good = try #require(answers.last)
            #expect(good.error == nil)
            #expect(good.orientation == "upright")
            #expect(try #require(good.milliseconds) > 0)
            let lines = try #require(good.lines)
            #expect(lines.map(\.text).joined(separator: " ") == TextFixture.text)
            for line in lines {
                #expect((0...1).contains(line.confidence))
                for corner in line.quad.corners {
                    #expect((-10...490).contains(corner.x) && (-10...106).contains(corner.y))
                }
            }
        }
    }

    @Test("a picture that is read well ends with 0, and people get its text, orientation and time")
    func text() throws {
        try withPictures { folder in
            let outcome = try Program.run("read", folder("in/good.png"), "--variant", "tesseract")
            #expect(outcome.code == 0)
            for word in ["good.png", TextFixture.text, "upright", "ms"] {
                #expect(outcome.output.contains(word), "\(word)")
            }
        }
    }

    @Test("a picture that is named and cannot be read is an error")
    func broken() throws {
        try withPictures { folder in
            for name in ["broken.png", "notes.txt", "nowhere.png"] {
                let outcome = try Program.run("read", folder("in/\(name)"), "--json", "--variant", "tesseract")
                #expect(outcome.code != 0, "\(name)")
                #expect((outcome.output + outcome.errors).contains(name), "\(name)")
            }
        }
    }

    @Test("an overlay is the picture with what was read drawn on it")
    func overlay() throws {
        try withPictures { folder in
            let outcome = try Program.run(
                "read",
                folder("in/good.png"),
                "--overlay",
                folder("out"),
                "--variant",
                "tesseract"
            )
            #expect(outcome.code == 0)
            let files = try FileManager.default.contentsOfDirectory(atPath: folder("out"))
            #expect(files.count == 1 && files.allSatisfy { $0.hasPrefix("good") && $0.hasSuffix(".svg") }, "\(files)")
            let drawn = try String(contentsOfFile: folder("out/" + (try #require(files.first))), encoding: .utf8)
            #expect(drawn.contains("href=\"data:image/jpeg;base64,") && drawn.contains("<polygon points="))
        }
    }

    @Test("exit codes are in the help")
    func help() throws {
        #expect(try Program.run("read", "--help").output.contains("Exit codes"))
    }
}
