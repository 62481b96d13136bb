import Testing

@testable import DatasetExchange
@testable import SpineDatasets

/// Lines as in the ground truth of ICDAR 2015, challenge 4.
@Suite struct ImportICDARTests {
    @Test func everyFileIsAPicture() throws {
        let fixture = try ImportFixture("icdar2015")
        for name in ["img_2.png", "img_10.png", "img_11.png"] {
            try fixture.picture("pictures/\(name)", width: 90, height: 50)
        }
        try fixture.write(
            "\u{FEFF}10,10,60,12,60,22,10,20,Joint, and several\r\n1,1,9,1,9,9,1,9,###\r\n",
            "gt/gt_img_2.txt"
        )
        try fixture.write("10,10,60,12,60,22,10,20,Title", "gt/gt_img_10.txt")
        try fixture.write("", "gt/gt_img_11.txt")
        let outcome = try fixture.imported()
        // Ordered by number: img_10 follows img_2.
        #expect(outcome.samples.map(\.id) == ["img_2", "img_10", "img_11"])
        #expect(outcome.samples.map(\.transcription) == ["Joint, and several", "Title", ""])
        #expect(outcome.samples.map(\.legible) == [true, true, false])
        #expect(outcome.samples[0].lines?.first?.quad == .of(10, 10, 60, 12, 60, 22, 10, 20))
        #expect(outcome.samples[0].orientation == .upright && outcome.samples[0].category == .horizontal)
        #expect(outcome.report.notes[.unreadableLine] == 1)
    }

    @Test(
        "bad lines are told",
        arguments: [
            ("1,1,9,1,9,9,1,9", "8 fields; expected eight coordinates and a text, separated by commas"),
            ("1,1,9,1,9,9,1,nine,T", "the first eight fields are not all numbers"),
            ("1,1,9,1,9,9,1,nan,T", "the first eight fields are not all numbers"),
            ("1,1,9,1,9,9,1,1e999,T", "the first eight fields are not all numbers"),
            ("1,1,1,1,1,1,1,1,T", "the corners have no area"),
        ]
    )
    func faults(_ line: String, _ message: String) throws {
        let fixture = try ImportFixture("icdar2015")
        try fixture.picture("img_1.png")
        try fixture.write("1,1,9,1,9,9,1,9,T\n\(line)\n", "gt_img_1.txt")
        #expect(try fixture.faults() == ["gt_img_1.txt:2: \(message)"])
    }

    @Test func aPictureThatIsNotThereOrThereTwiceIsToldOf() throws {
        let fixture = try ImportFixture("icdar2015")
        for name in ["a/img_2.png", "b/img_2.png"] { try fixture.picture(name) }
        for number in [1, 2] { try fixture.write("1,1,9,1,9,9,1,9,T\n", "gt_img_\(number).txt") }
        #expect(
            try fixture.faults() == [
                "gt_img_1.txt: picture \"img_1\" does not exist in source",
                "gt_img_2.txt: picture \"img_2\" is ambiguous: a/img_2.png or b/img_2.png",
            ]
        )
    }
}
