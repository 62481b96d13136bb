import Evaluation
import TestSupport
import Testing

@testable import Harness

@Suite(.tags(.unit)) struct ComparisonToleranceTests {
    @Test func withoutChangesTheStandardOnesHold() throws {
        let tolerances = try ComparisonTolerances.parse("")
        #expect(tolerances == .standard)
        #expect(tolerances[.latency] == 0.05 && tolerances[.latencyP95] == 0.1)
        #expect(tolerances[.titleRead] == 0.02 && tolerances[.peakFootprint] == 0.05)
        #expect(tolerances[.authorRead] == nil)
    }

    @Test func namedOnesChangeAndOffTakesOneAway() throws {
        let tolerances = try ComparisonTolerances.parse("latency=3%, p50=4.5, title-read=1,memory=off,memory-delta=20")
        #expect(tolerances[.latency] == 0.03 && tolerances[.latencyP50] == 0.045)
        #expect(tolerances[.titleRead] == 0.01 && tolerances[.peakFootprint] == nil)
        #expect(tolerances[.memoryDelta] == 20e6)
        #expect(tolerances[.latencyP95] == 0.1)
        let memory = try ComparisonTolerances.parse("memory=3%,memory=5MB")
        #expect(memory[.peakFootprint] == 0.03 && memory.leastBytes == 5e6)
        #expect(tolerances.leastBytes == 10e6)
    }

    @Test(arguments: [
        ("speed=5%", "speed=5%"), ("latency", "latency"), ("latency=-1", "-1"), ("latency=nan", "nan"),
        ("latency=inf%", "inf%"), ("p95=", "p95"), ("memory=-1MB", "-1MB"), ("latency=5MB", "5MB"),
    ])
    func whatMakesNoSenseIsNamed(text: String, named: String) {
        #expect {
            try ComparisonTolerances.parse(text)
        } throws: { error in
            "\(error)".contains(named)
        }
    }
}
