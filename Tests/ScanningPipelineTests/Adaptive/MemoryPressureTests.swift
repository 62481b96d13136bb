import Foundation
import Testing

@testable import ScanningPipeline

@Suite struct MemoryPressureTests {
    #if os(Linux)
    @Test(
        "what the kernel says",
        arguments: [
            ("some avg10=0.00 avg60=0.00 avg300=0.00 total=0\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n", false),
            (
                "some avg10=9.99 avg60=80.00 avg300=1.00 total=5\nfull avg10=1.50 avg60=0.00 avg300=0.00 total=1\n",
                false
            ),
            ("some avg10=10.00 avg60=0.00 avg300=0.00 total=5\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=1\n", true),
        ]
    )
    func warnings(_ text: String, _ isWarning: Bool) throws {
        let percent = try #require(MemoryPressureSource.waitingPercent(text))
        #expect((percent >= MemoryPressureSource.warningPercent) == isWarning)
    }

    @Test(arguments: ["", "some", "some avg10=x\nfull avg10=1", "some avg10=nan\nfull avg10=1", "full avg10=1"])
    func anythingElseIsNotTakenForIt(_ text: String) { #expect(MemoryPressureSource.waitingPercent(text) == nil) }

    @Test func theSourceReadsTheFileEachTimeAndAMissingOneIsNoWarning() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let source = MemoryPressureSource(path: file.path())
        #expect(!source.hasWarning)
        try Data("some avg10=55.00\nfull avg10=9.00\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(source.hasWarning)
    }
    #endif

    @Test func thisProcessHoldsMemory() throws { #expect(try #require(AdaptiveReader.residentBytes()) > 1_000_000) }
}
