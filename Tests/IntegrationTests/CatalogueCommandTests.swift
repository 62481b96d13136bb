import Basics
import Foundation
import TestSupport
import Testing

@Suite(.inTurns, .needsProgram) struct CatalogueCommandTests {
    private static let list = """
        title,author,isbn
        Dune,Frank Herbert,0441172717
        DUNE,Herbert,
        Emma,Jane Austen,123
        ,Nobody,

        """

    @Test func aListBecomesACatalogueThatIsSearched() throws {
        try Folder.with { folder in
            try folder.write(Self.list, to: "books.csv")
            let build = try Program.run("catalogue", "build", folder("books.csv"), "--out", folder("c.sqlite"))
            #expect(build.code == 0, "\(build.errors)")
            #expect(build.lines[0] == "\(folder("books.csv")): csv, 4 rows")
            #expect(build.output.contains("  title ← title\n  authors ← author\n  isbn ← isbn\n"))
            #expect(build.output.contains("  3 books, 1 invalid ISBN dropped, 1 invalid row\n"))
            #expect(build.output.contains("2 books, 1 duplicate merged"))
            #expect(build.errors == "\(folder("books.csv")):5: no title\n")
            #expect(!folder.contains("c.sqlite.partial"))

            let info = try Program.run("catalogue", "info", folder("c.sqlite"))
            #expect(info.code == 0)
            #expect(info.output.hasPrefix("c: 2 books\n  with an ISBN    1\n"))
            #expect(info.output.contains("from            books.csv (csv, 4 rows)"))

            let search = try Program.run("catalogue", "search", folder("c.sqlite"), "frank", "dune")
            #expect(search.output == "Dune — Frank Herbert 9780441172719\n")
            let number = try Program.run("catalogue", "search", folder("c.sqlite"), "0-441-17271-7", "--json")
            let books = try #require(
                try JSONSerialization.jsonObject(with: Data(number.output.utf8)) as? [[String: Any]]
            )
            #expect(books.map { $0["title"] as? String } == ["Dune"])
            let nothing = try Program.run("catalogue", "search", folder("c.sqlite"), "zzz")
            #expect(nothing.code == 0)
            #expect(nothing.output.isEmpty)
        }
    }

    @Test func labelledBooksComeAndGo() throws {
        try Folder.with { folder in
            try folder.write(Self.list, to: "books.csv")
            try folder.write(TestPicture.tiny(), to: "set/a.png")
            let labels = [
                TestLabel.line("a", title: "DUNE", changes: ["author": "\"HERBERT\""]),
                TestLabel.line("b", title: "Persuasion", changes: ["author": "\"Jane Austen\""]),
                TestLabel.line("c", title: "Nobody reads this", changes: ["legible": "false"]),
            ]
            try folder.write(labels.joined(separator: "\n") + "\n", to: "set/samples.jsonl")
            let arguments = ["catalogue", "build", folder("books.csv"), "--out", folder("out.csv")]
            let with = try Program.run(arguments + ["--from-dataset", folder("set")])
            #expect(with.code == 0, "\(with.errors)")
            #expect(try titles(folder) == ["Dune", "Emma", "Persuasion"])
            let sample = try Program.run(arguments + ["--from-dataset", folder("set"), "--sample", "1"])
            #expect(sample.code == 0)
            #expect(try titles(folder) == ["Dune", "Persuasion"])
            let without = try Program.run(arguments + ["--without-dataset", folder("set")])
            #expect(without.output.contains("1 book removed"))
            #expect(try titles(folder) == ["Emma"])
        }
    }

    private func titles(_ folder: Folder) throws -> [String] {
        try folder.lines(of: "out.csv").dropFirst().map { String($0.prefix { $0 != "," }) }
    }

    @Test func theEmbeddedListIsThatOfTheDatasets() throws {
        let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        try Folder.with { folder in
            let datasets = ["spines-1", "shelves-1"].map { project.appending(path: "Datasets/\($0)").path }
            let build = try Program.run(
                ["catalogue", "build", "--out", folder("labelled.csv"), "--from-dataset"] + datasets
            )
            #expect(build.code == 0, "\(build.errors)")
            let committed = project.appending(path: "Sources/Kit/BookCatalogue/Resources/labelled.csv")
            #expect(try folder.text(of: "labelled.csv") == String(contentsOf: committed, encoding: .utf8))
        }
        let info = try Program.run("catalogue", "info", "embedded", "--json")
        #expect(info.code == 0)
        #expect(info.output.contains("\"name\" : \"embedded\""))
        let books = try #require(info.output.split(separator: "\"books\" : ").last?.prefix { $0.isNumber })
        #expect(try #require(Int(books)) >= 10_000)
    }

    @Test func theEmbeddedListsAreFoundFromAnywhereAndTheirLackIsTold() throws {
        try Folder.with { folder in
            let program = try #require(Program.path)
            func info(_ path: String) throws -> (code: Int32, errors: String) {
                let process = Process()
                let errors = Pipe()
                process.executableURL = URL(filePath: path)
                process.arguments = ["catalogue", "info", "embedded"]
                process.currentDirectoryURL = URL(filePath: "/")
                (process.standardOutput, process.standardError) = (FileHandle.nullDevice, errors)
                try process.run()
                let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                process.waitUntilExit()
                return (process.terminationStatus, text)
            }
            let found = try info(program)
            #expect(found.code == 0, "\(found.errors)")
            try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: program)
            #expect(try info(folder("link")).code == 0)
            for name in ["", "-tools"] {
                try FileManager.default.copyItem(atPath: program + name, toPath: folder("spinebench\(name)"))
            }
            let alone = try info(folder("spinebench"))
            #expect(alone.code == 4)
            #expect(alone.errors.contains("SpineBench_BookCatalogue.resources: does not exist"))
        }
    }

    @Test func aQuarterOfTheLabelledBooksIsHeldOut() throws {
        try Folder.with { folder in
            // Held out is Thérèse Raquin, not Dune: HeldOutBooks, whose tests have the hashes.
            try folder.write(
                "title,author\nThe Raquins,X\nTherese Raquin,Emile Zola\nDune,Frank Herbert\n",
                to: "b.csv"
            )
            try folder.write(TestPicture.tiny(), to: "set/a.png")
            let labels = [
                TestLabel.line("a", title: "DUNE", changes: ["author": "\"HERBERT\""]),
                TestLabel.line("b", title: "THÉRÈSE RAQUIN", changes: ["author": "\"ÉMILE ZOLA\""]),
            ]
            try folder.write(labels.joined(separator: "\n") + "\n", to: "set/samples.jsonl")
            let build = try Program.run(
                "catalogue",
                "build",
                folder("b.csv"),
                "--out",
                folder("out.csv"),
                "--from-dataset",
                folder("set"),
                "--hold-out",
                folder("set")
            )
            #expect(build.code == 0, "\(build.errors)")
            #expect(build.output.contains("1 book held out"))
            #expect(try titles(folder) == ["The Raquins", "Dune"])
        }
    }

    @Test func aBuildThatFailsLeavesTheOldFile() throws {
        try Folder.with { folder in
            try folder.write("old", to: "c.sqlite")
            try folder.write("colour,size\nred,1\n", to: "books.csv")
            let outcome = try Program.run("catalogue", "build", folder("books.csv"), "--out", folder("c.sqlite"))
            #expect(outcome.code == 2)
            #expect(outcome.errors.contains("--column title=NAME"))
            #expect(try folder.text(of: "c.sqlite") == "old")
            #expect(!folder.contains("c.sqlite.partial"))
        }
    }

    @Test(
        "wrong usage is refused",
        arguments: [
            ["build", "--out", "x"], ["build", "x", "--out", "y", "--column", "colour=red"],
            ["build", "x", "--out", "y", "--limit", "0"], ["build", "x", "--out", "y", "--sample", "0"],
            ["search", "embedded", "x", "--limit", "0"], ["search", "embedded"],
        ]
    )
    func usage(arguments: [String]) throws {
        #expect(try Program.run(["catalogue"] + arguments).code == 2)
    }

    @Test func whatIsNoCatalogueIsRefused() throws {
        try Folder.with { folder in
            try folder.write("title\n", to: "books.csv")
            #expect(try Program.run("catalogue", "info", folder("books.csv")).code == 2)
            let missing = try Program.run("catalogue", "info", folder("nowhere.sqlite"))
            #expect(missing.code == 2)
            #expect(missing.errors.contains("does not exist"))
        }
    }
}
