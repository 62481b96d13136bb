import Testing

@testable import Harness

@Suite struct DeviceScalingTests {
    /// Figures of the example device, with those of the host and of an A15.
    private func values(_ scaling: DeviceScaling) -> DeviceValues {
        DeviceValues(ExampleDevice.profile().figures.merging(scaling.figures) { $1 }.mapValues(\.value))
    }

    @Test func aStageTakesAsLongAsOnAnA15DividedByTheSpeedOfItsUnit() {
        let scaling = DeviceScaling(ExampleDevice.calibration, reader: "small")
        var values = values(scaling)
        values[.a15Image] = 10
        let factors = scaling.factors(values, unit: .neuralEngine)
        // 10 ms on an A15 for 20 here, on a CPU half as fast.
        #expect(abs(factors.image - 1) < 1e-12)
        // 1.5 GFLOP at 1,500 GFLOP/s and 0.3 ms for the call: 1.3 ms, twice as fast, for 5 ms here.
        #expect(abs(factors.detection - 0.13) < 1e-12)
        // 2 ms and 0.3, twice as fast, for 4 ms here.
        #expect(abs(factors.recognition - 0.2875) < 1e-12)

        let reading = HostReading(image: 8, detection: 10, recognition: 20, wait: 100, bytesUp: 7, isIdentified: false)
        let cost = DeviceScaling.cost(of: reading, factors)
        #expect(abs(cost.imageSeconds - 0.008) < 1e-12)
        #expect(abs(cost.inferenceSeconds - 0.00705) < 1e-12)
        #expect(cost.waitSeconds == 0.1)
        #expect(cost.bytesUp == 7)
        #expect(!cost.isIdentified)
    }

    @Test(arguments: [(ComputeUnit.gpu, 1.5 / 350 * 1_000 + 0.6, 0.8), (.cpu, 1.5 / 45 * 1_000, 0.5)])
    func eachUnitHasItsOwnRate(unit: ComputeUnit, a15: Double, speed: Double) {
        let scaling = DeviceScaling(ExampleDevice.calibration, reader: "small")
        let factors = scaling.factors(values(scaling), unit: unit)
        #expect(abs(factors.detection - a15 / speed / 5) < 1e-12)
    }

    @Test func aReaderWithoutNetworksIsAllTheCPUs() {
        let scaling = DeviceScaling(ExampleDevice.calibration, reader: nil)
        let factors = scaling.factors(values(scaling), unit: .neuralEngine)
        #expect(factors.detection == factors.image)
        #expect(factors.recognition == factors.image)
    }

    /// A host that was slower than it seemed makes the device faster.
    @Test(arguments: [
        (DeviceFigure.a15Image, true), (.hostImage, false), (.hostDetection, false), (.a15NeuralEngineRate, false),
        (.a15NeuralEngineCall, true),
    ])
    func aFigureMakesTheDeviceSlowerOrFaster(figure: DeviceFigure, isSlower: Bool) throws {
        let scaling = DeviceScaling(ExampleDevice.calibration, reader: "small")
        func time(_ values: DeviceValues) -> Double {
            let factors = scaling.factors(values, unit: .neuralEngine)
            return factors.image + factors.detection + factors.recognition
        }
        var values = values(scaling)
        let nominal = time(values)
        values[figure] *= 1.1
        #expect((time(values) > nominal) == isSlower)
    }

    @Test(arguments: DeviceFigure.allCases.filter { $0.rawValue.hasPrefix("a15.") })
    func everyFigureOfTheA15HasARangeAndASource(figure: DeviceFigure) throws {
        let estimate = try #require(A15Reference.figures[figure])
        #expect(estimate.low < estimate.value && estimate.value < estimate.high)
        #expect(!estimate.source.isEmpty && estimate.kind != .measured)
    }
}
