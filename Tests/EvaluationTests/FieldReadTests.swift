import Testing

@testable import Evaluation

@Suite struct FieldReadTests {
    @Test func wordsFoundAreThoseOfTheReferenceScorer() throws {
        for row in try Expected.load().fields {
            let read = FieldRead(field: row.field, in: row.prediction)
            #expect(read.found == row.found && read.total == row.total, "\(row.field) | \(row.prediction)")
        }
    }

    @Test func everyWordMakesItRead() {
        #expect(FieldRead(field: "A Stolen Life", in: "CURRY A STOLEN LIFE").isRead == true)
        #expect(FieldRead(field: "A Stolen Life", in: "CURRY A STOLEN").isRead == false)
    }

    // "astolen" and "stolen" are alike at 6/7: a known leniency of the metric, kept so that figures stay comparable.
    @Test func aLostArticleBesideALongWordIsForgiven() {
        #expect(FieldRead(field: "A Stolen Life", in: "CURRY STOLEN LIFE").isRead == true)
    }

    @Test func aFieldWithoutWordsIsNeitherReadNorMissed() {
        #expect(FieldRead(field: "戦争と平和", in: "WAR AND PEACE").isRead == nil)
    }

    // What a lazy system might answer to be scored well.
    @Test(arguments: ["", "efil nelots a", "life life life", "a a a a"])
    func blankReversedAndRepeatedAnswersAreNotRead(answer: String) {
        #expect(FieldRead(field: "A Stolen Life", in: answer).isRead == false)
    }
}
