import TestSupport
import Testing

@testable import Evaluation

@Suite(.tags(.unit)) struct LineReadTests {
    @Test(
        arguments: [
            ("THE ART", ["THE ART OF WAR"], true),  // a part that a detector found
            ("ART OF", ["THE ART OF WAR"], true),
            ("THE  ART", ["THE ART OF WAR"], true),  // a space more beside a space
            ("THEART", ["THE ART OF WAR"], false),  // a space less
            ("THE WAR", ["THE ART OF WAR"], false),  // not in a row
            ("THE AR", ["THE ART OF WAR"], false),  // no whole word
            ("The Art", ["THE ART OF WAR"], false),  // another case
            ("Emile", ["Émile Zola"], false),  // an accent less
            ("E\u{301}mile", ["Émile Zola"], true),  // the same accent, composed otherwise
            ("Don’t - go", ["Don't – go"], true),  // marks that are one
            ("WAR", ["PEACE", "WAR AND"], true),  // any of the lines
            ("WAR", [], false),
            ("A B C", ["A B"], false),  // more than the line has
        ] as [(String, [String], Bool)]
    )
    func aLineIsRightInEveryCharacter(text: String, labels: [String], isRight: Bool) {
        #expect(LineRead.isExact(text, in: labels) == isRight)
    }

    @Test func whatHasNoWordsIsNeither() {
        #expect(LineRead.isExact(" ", in: ["a"]) == nil)
    }
}
