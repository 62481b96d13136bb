import ScanningPolicies
import Systems
import Testing

@testable import spinebench

@Suite struct LiveOptionsTests {
    @Test func heatGoesByItsSteps() throws {
        let heat = try #require(HeatArgument(argument: "2:fair,10:serious"))
        #expect([0, 2, 9.9, 10, 99].map { heat.state(at: $0) } == [.nominal, .fair, .fair, .serious, .serious])
        for text in ["", "fair", "x:fair", "2:warm", "-1:fair"] { #expect(HeatArgument(argument: text) == nil) }
    }
}
