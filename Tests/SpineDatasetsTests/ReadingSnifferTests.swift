import Foundation
import SpineDatasets
import TestSupport
import Testing

@testable import DatasetExchange
@testable import Harness

/// What is read as plain text, and what is refused by its name.
@Suite struct ReadingSnifferTests {
    private func format(_ bytes: [UInt8], _ name: String) throws -> ReadingFormat {
        let folder = try TemporaryFolder()
        try folder.write(bytes, name)
        return try ReadingSniffer.format(of: LineReader.data(folder(name)), folder(name))
    }

    private func refusal(_ text: String, _ name: String) -> String {
        do { return "read as \(try format(Array(text.utf8), name))" } catch { return "\(error)" }
    }

    @Test(
        "a text of a spine is text, whatever characters it has",
        arguments: [
            "<3", "< 3 >", "<Title> by X", "<unk> WINTER", "I <3 U\n<me>", "A, B, C\nD, E, F", "A\tB\tC", "[sic]",
            "[1984]",
            "{Poems}\n{Songs}", "(A Novel)", "[Poems, 1984]\nAuthor", "4 3 2 1\nPAUL AUSTER", "1, 2, 3",
            "2001: A SPACE ODYSSEY",
            "ERROR", "INFO\nDOKUMENT", "Title, Author\n", "Title: Winter Harbour\nAuthor: C. D. Reed", "A | B\nC | D",
            "100 %", "",
            "  \n", "#1", "---\nTitle\n---", "Level\tPage", "\u{FEFF}WINTER", "Text; Autor\nWinter",
            "\"Quoted\", he said\n\"Again\", she said",
            "1984-01-01", "WARNING TO THE CURIOUS\nM. R. James", "%", "=", "\\rtf", "a.jpg", "12 13 14 15 16",
        ]
    )
    func plainTexts(_ text: String) throws {
        for name in ["spine-1.txt", "spine-1", "spine-1.jpg.text", "spine.1"] {
            #expect(try format(Array(text.utf8), name) == .text)
        }
    }

    private static let tsv = "level\tpage_num\tblock_num\tconf\ttext\n5\t1\t1\t96.1\tWINTER\n"

    @Test(
        "what is no plain text is refused by its name, also in a file that is named as a text",
        arguments: [
            (tsv, "is Tesseract's TSV"), ("\u{FEFF}" + tsv.replacing("\n", with: "\r\n"), "is Tesseract's TSV"),
            ("image,text,confidence\na.jpg,\"WINTER, HARBOUR\",0.98\n", "is a table"),
            ("File;Text\na.jpg;WINTER\n", "is a table"), ("file\ttranscription\na\tWINTER\nb\tSUMMER", "is a table"),
            ("sep=;\nimage;text\na.jpg;WINTER", "is a table"),
            ("a.jpg\tWINTER HARBOUR\nb.png\tX", "is a list of pictures and texts"),
            ("x/a.JPG,WINTER,0.9", "is a list of pictures and texts"),
            (
                "<?xml version=\"1.0\"?>\n<document xmlns=\"http://www.abbyy.com/x\"><page/></document>",
                "XML of an unknown kind, <document>"
            ),
            ("<annotation><object><name>WINTER</name></object></annotation>", "XML of an unknown kind, <annotation>"),
            ("<!-- c --><?pi?><TEI xmlns=\"x\"><text>ocr_page</text></TEI>", "XML of an unknown kind, <TEI>"),
            ("<!DOCTYPE a [<!ENTITY b \"c\">]>\n<x:a xmlns:x='y'>W</x:a>", "XML of an unknown kind, <x:a>"),
            ("<?xml version", "XML of an unknown kind"),
            ("<!DOCTYPE html><html><body><h1>WINTER</h1></body></html>", "is HTML without hOCR"),
            ("<p>WINTER HARBOUR", "is HTML without hOCR"),
            ("INFO loading model\nINFO done", "is a log"), ("[INFO] a\n[WARNING]: b", "is a log"),
            ("2026-11-28 03:21:37,123 - root - INFO - loading\nWINTER", "is a log"),
            ("Traceback (most recent call last):\n  File \"a.py\"", "is an error of a Python program"),
            ("{\"lines\": [{\"text\": \"WIN", "not valid JSON"), ("{\"what\": 1}", "JSON of an unknown kind"),
            ("[\"WINTER\", \"HARBOUR\"]", "JSON of an unknown kind"),
            ("[([[1, 2], [3, 4]], 'WINTER', 0.9)]", "not valid JSON"),
            ("{'rec_texts': ['WINTER']}", "not valid JSON"),
            ("```json\n{\"text\": \"WINTER\"}\n```", "is Markdown with a code block"),
            ("{\\rtf1\\ansi WINTER}", "is RTF"), ("%!PS-Adobe-3.0", "is PostScript"),
            ("10,20,30,20,30,40,10,40,WINTER", "is a list of boxes"),
            ("10,20,30,40,WINTER\n1,2,3,4,X", "is a list of boxes"),
            ("W 10 20 30 40 0\nI 31 20 33 40 0", "is a list of boxes"),
            ("0 0.5 0.5 0.1 0.2\n1 0.5 0.5 0.1 0.2", "is a list of boxes"),
        ] as [(String, String)]
    )
    func others(_ text: String, _ expected: String) {
        let found = refusal(text, "spine-1.txt")
        #expect(found.contains(expected), "\(found)")
        if !found.contains("JSON:") {
            #expect(found.hasSuffix("; expected readings, run, text, hocr, alto, page, paddleocr, coco-text, vision"))
        }
    }

    @Test(arguments: ["csv", "tsv", "log", "xml", "html", "hocr", "yaml", "rtf", "LOG"])
    func aNameThatStatesAnotherKindIsNoPlainText(_ ending: String) {
        #expect(
            refusal("WINTER HARBOUR\nC. D. Reed", "spine-1.\(ending)").contains(
                "and is of no known format; expected readings, run,"
            )
        )
    }

    @Test func bytesAndEncodingsAreRecognised() throws {
        let folder = try TemporaryFolder()
        let dataset = Dataset(path: folder.path, manifest: DatasetManifest(name: "s"), digest: "sha256:0", samples: [])
        func read(_ bytes: [UInt8], _ name: String, as format: ReadingFormat? = nil) throws -> [ReadingFile] {
            try folder.write(bytes, name)
            return try ReadingFile.read(folder(name), as: format, over: dataset, images: [:]) { _ in }
        }
        func refusal(_ bytes: [UInt8], _ name: String) -> String {
            do { return "\(try read(bytes, name))" } catch { return "\(error)" }
        }
        #expect(refusal(Array("%PDF-1.7\n".utf8), "a.txt").contains("is a PDF"))
        #expect(refusal(Array("WINTER".utf8) + [0], "a.txt").contains("is a binary file"))
        #expect(refusal([0x1F, 0x8B, 8], "a.txt").contains("gunzip"))
        #expect(refusal([], "a.csv").contains("is empty") && refusal([], "a.hocr").contains("is empty"))
        #expect(try read([], "b.txt").first?.readings.count == 1)
        // The user says so.
        #expect(try read(Array(Self.tsv.utf8), "c.txt", as: .text).first?.format == .text)
        // PowerShell's ">" writes UTF-16 with a mark.
        let json = #"{"sample": "a", "text": "Ü"}"#
        for text in [
            json, "WINTER Ü", "<alto><Layout><Page><TextLine><String CONTENT='Ü'/></TextLine></Page></Layout></alto>",
        ] {
            let units = ("\u{FEFF}" + text).utf16
            for bytes in [
                units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
                units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
            ] {
                let found = try #require(try read(bytes, "d.txt").first?.readings.first).outcome.get()
                #expect(found.text.hasSuffix("Ü"))
            }
        }
    }

    @Test func aFolderWithAnUnknownFileIsRefusedUnlessAFormatIsChosen() throws {
        let folder = try TemporaryFolder()
        let dataset = Dataset(path: folder.path, manifest: DatasetManifest(name: "s"), digest: "sha256:0", samples: [])
        try folder.write("WINTER", "out/a.txt")
        try folder.write("INFO a\nINFO b", "out/run.log")
        try folder.write([0, 5, 22, 7, 0, 2], "out/._a.txt")
        try folder.write([0, 5, 22, 7, 0, 2], "out/__MACOSX/._a.txt")
        var remarks: [String] = []
        func read(_ format: ReadingFormat?) throws -> [ReadingFile] {
            try ReadingFile.read(folder("out"), as: format, over: dataset, images: [:]) { remarks.append($0) }
        }
        #expect(throws: HarnessError.self) { try read(nil) }
        #expect(try read(.text).first?.readings.map(\.names) == [["a"]])
        #expect(
            remarks.count == 1 && remarks[0].contains("run.log: is a log")
                && remarks[0].hasSuffix("the file is left out")
        )
    }
}
