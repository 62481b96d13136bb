import Basics
import TestSupport
import Testing

@testable import DatasetExchange
@testable import SpineDatasets

@Suite struct ImportSnifferTests {
    @Test(
        "labels are told by name and content",
        arguments: [
            ("a.csv", "file\n", ImportFormat.csv), ("a.TSV", "file\n", .csv), ("a.jsonl", "", .jsonl),
            ("Label.txt", "a.png\t[]", .paddleocr), ("train.txt", "a/b c.png\t[{\"transcription\"", .paddleocr),
            ("gt_img_1.txt", "1,1,2,1,2,2,1,2,T", .icdar2015),
            ("a.json", " {\"images\": [], \"annotations\": []}", .coco), ("a.json", "{\"anns\": {}}", .coco),
            ("a.json", "\u{FEFF}[{\"data\": {}}]", .labelstudio),
        ]
    )
    func formats(_ name: String, _ text: String, _ format: ImportFormat) throws {
        let fixture = try ImportFixture()
        try fixture.write(text, "labels/\(name)")
        try fixture.write("read me\tfirst", "notes.txt")
        try fixture.write("{}", "config.json")
        let found = try ImportSniffer.find(fixture.folder("source"), format: nil)
        #expect(found.candidate.format == format)
        #expect(found.candidate.files == [fixture.folder("source/labels/\(name)")])
        #expect(try ImportSniffer.find(fixture.folder("source/labels/\(name)"), format: nil).candidate.format == format)
    }

    @Test func nothingAndTooMuchAreRefusedWithTheReason() throws {
        let fixture = try ImportFixture()
        try fixture.write("hello", "notes.txt")
        #expect(
            try fixture.faults()
                == [
                    "source: no known labels in it or in the folders in it; specify the labels' file"
                ].map { "\(fixture.folder.path)/\($0)".replacing(fixture.folder.path + "/", with: "") }
        )
        try fixture.write("file\n", "a.csv")
        try fixture.write("", "b.jsonl")
        #expect(
            try fixture.faults().first?.contains(
                "has 2 sets of labels: a.csv (a CSV or TSV table), b.jsonl (JSON Lines)"
            ) == true
        )
        #expect(try fixture.faults("", as: .coco).first?.contains("no COCO in it") == true)
        #expect(try ImportSniffer.find(fixture.folder("source"), format: .csv).candidate.format == .csv)
        #expect(try fixture.faults("nowhere").first?.contains("does not exist") == true)
        #expect(try fixture.faults("notes.txt").first?.contains("has an unknown label format") == true)
    }
}
