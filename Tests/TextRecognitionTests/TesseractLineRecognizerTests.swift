import TesseractEngine
import TestSupport
import Testing
import TextRecognition

@Suite struct TesseractLineRecognizerTests {
    @Test(arguments: LineRecognizerContract.allCases)
    func keeps(_ contract: LineRecognizerContract) throws {
        try contract.check(TesseractLineRecognizer())
    }
}
