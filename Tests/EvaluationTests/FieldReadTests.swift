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

    // "stolen" is like "astolen" at 6/7, although the article was not read.
    @Test(arguments: ["CURRY STOLEN LIFE", "CURRY STOLENLIFE", "A STOLEN LIE", "ASTOLEN"])
    func aLostWordIsNotRead(answer: String) {
        #expect(FieldRead(field: "A Stolen Life", in: answer).isRead == false)
    }

    @Test(arguments: ["CURRY ASTOLEN LIFE", "ASTOLENLIFE", "CURRYASTOLENLIFE", "A STO LEN LIFE", "ASTOLAN LIFE"])
    func lostSpacesAreForgiven(answer: String) {
        #expect(FieldRead(field: "A Stolen Life", in: answer).isRead == true)
    }

    // "guildenstern" is like "guildensternare" at 12/15, which contains "are" as well.
    @Test func joinedWordsAreNotUsedUpByTheFirst() {
        let title = "Rosencrantz and Guildenstern Are Dead"
        #expect(FieldRead(field: title, in: "ROSENCRANTZAND GUILDENSTERNARE DEAD").isRead == true)
        #expect(FieldRead(field: title, in: "ROSENCRANTZ AND GUILDENSTERN DEAD").isRead == false)
    }

    @Test func aLetterIsUsedOnce() {
        // "the" begins "theory", which is then no longer there.
        #expect(FieldRead(field: "The Theory", in: "THEORY").isRead == false)
        #expect(FieldRead(field: "The Theory", in: "THETHEORY").isRead == true)
    }

    @Test func aFieldWithoutWordsIsNeitherReadNorMissed() {
        #expect(FieldRead(field: "* — *", in: "WAR AND PEACE").isRead == nil)
        #expect(FieldRead(field: "", in: "WAR AND PEACE").isRead == nil)
    }

    @Test func wordsOfEveryScriptCount() {
        #expect(FieldRead(field: "戦争と平和", in: "WAR AND PEACE").isRead == false)
        #expect(FieldRead(field: "Война и мир", in: "ТОЛСТОЙ ВОЙНА И МИР").isRead == true)
    }

    // Possible answers of a lazy system that tries to be scored well.
    @Test(arguments: ["", "efil nelots a", "life life life", "a a a a"])
    func blankReversedAndRepeatedAnswersAreNotRead(answer: String) {
        #expect(FieldRead(field: "A Stolen Life", in: answer).isRead == false)
    }
}
