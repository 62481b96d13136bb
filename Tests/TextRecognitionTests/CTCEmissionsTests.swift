import Testing

@testable import TextRecognition

@Suite struct CTCEmissionsTests {
    private let left = CTCEmissions(classes: 2, probabilities: [0.9, 0.1, 0.2, 0.8], positions: [4, 12])
    private let right = CTCEmissions(classes: 2, probabilities: [0.5, 0.5], positions: [20])

    @Test func partsFollowOneAnother() {
        #expect(CTCEmissions(joining: []) == nil)
        #expect(CTCEmissions(joining: [left]) == left)
        let joined = CTCEmissions(joining: [left, right])
        #expect(
            joined
                == CTCEmissions(classes: 2, probabilities: [0.9, 0.1, 0.2, 0.8, 0.5, 0.5], positions: [4, 12, 20])
        )
    }

    @Test func characterThatContinuesAcrossAJointIsReadOnce() {
        let first = CTCEmissions(classes: 2, probabilities: [0.1, 0.9], positions: [4])
        let second = CTCEmissions(classes: 2, probabilities: [0.2, 0.8, 1, 0], positions: [12, 20])
        let read = CTCEmissions(joining: [first, second]).map(CTCDecoder(alphabet: ["", "A"]).decode)
        #expect(read?.text == "A")
    }

    @Test func bestIsTheMostProbableClassAndTheFirstOfEquals() {
        #expect(left.best(0) == (0, 0.9))
        #expect(left.best(1) == (1, 0.8))
        #expect(right.best(0) == (0, 0.5))
    }
}
