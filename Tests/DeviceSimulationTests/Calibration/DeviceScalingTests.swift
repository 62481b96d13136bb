import Testing

@testable import DeviceSimulation

@Suite struct DeviceScalingTests {
    private let values = ExampleDevice.profile().values()

    @Test func aStageTakesAsLongAsOnAnA15DividedByTheSpeedOfItsUnit() {
        let scaling = DeviceScaling(ExampleDevice.calibration, reader: "small")
        var numbers = scaling.numbers()
        numbers[.image] = 10
        let factors = scaling.factors(numbers, on: values, unit: .neuralEngine)
        // 10 ms on an A15 for 20 here, on a CPU half as fast.
        #expect(abs(factors.image - 1) < 1e-12)
        // 0.97 GFLOP at 970 GFLOP/s and 0.4 ms for the call: 1.4 ms, twice as fast, for 5 ms here.
        #expect(abs(factors.detection - 0.14) < 1e-12)
        // 2 ms and 0.4, twice as fast, for 4 ms here.
        #expect(abs(factors.recognition - 0.3) < 1e-12)

        let reading = HostReading(image: 8, detection: 10, recognition: 20, wait: 100, bytesUp: 7, isIdentified: false)
        let cost = DeviceScaling.cost(of: reading, factors)
        #expect(abs(cost.imageSeconds - 0.008) < 1e-12)
        #expect(abs(cost.inferenceSeconds - 0.0074) < 1e-12)
        #expect(cost.waitSeconds == 0.1)
        #expect(cost.bytesUp == 7)
        #expect(!cost.isIdentified)
    }

    @Test(arguments: [(ComputeUnit.gpu, 0.97 / 350 * 1_000 + 0.6, 0.8), (.cpu, 0.97 / 120 * 1_000, 0.5)])
    func eachUnitHasItsOwnRate(unit: ComputeUnit, a15: Double, speed: Double) {
        let scaling = DeviceScaling(ExampleDevice.calibration, reader: "small")
        let factors = scaling.factors(scaling.numbers(), on: values, unit: unit)
        #expect(abs(factors.detection - a15 / speed / 5) < 1e-12)
    }

    @Test func aReaderWithoutNetworksIsAllTheCPUs() {
        let scaling = DeviceScaling(ExampleDevice.calibration, reader: nil)
        let factors = scaling.factors(scaling.numbers(), on: values, unit: .neuralEngine)
        #expect(factors.detection == factors.image)
        #expect(factors.recognition == factors.image)
    }

    @Test func theWorseSideOfEveryFigureIsSlower() {
        let scaling = DeviceScaling(ExampleDevice.calibration, reader: "small")
        for unit in ComputeUnit.allCases {
            let better = scaling.factors(scaling.numbers(at: .favourable), on: values, unit: unit)
            let nominal = scaling.factors(scaling.numbers(), on: values, unit: unit)
            let worse = scaling.factors(scaling.numbers(at: .adverse), on: values, unit: unit)
            #expect(better.detection < nominal.detection && nominal.detection < worse.detection)
            #expect(better.image < nominal.image && nominal.image < worse.image)
        }
    }

    @Test(arguments: ScalingFigure.allCases.filter { ![.hostImage, .hostDetection, .hostRecognition].contains($0) })
    func everyFigureOfTheA15HasARangeAndASource(figure: ScalingFigure) throws {
        let estimate = try #require(A15Reference.figures[figure])
        #expect(estimate.low < estimate.value && estimate.value < estimate.high)
        #expect(!estimate.source.isEmpty && estimate.kind != .measured)
    }

    @Test func distilBERTGivesTheRateOfTheNeuralEngine() throws {
        // 6 layers of 4·768² + 2·768·3072 weights, 128 tokens; attention: two products of 128 × 128 × 768.
        let weights = 6.0 * (4 * 768 * 768 + 2 * 768 * 3_072)
        let operations = 2 * weights * 128 + 6 * 2 * 2 * 128 * 128 * 768
        let rate = operations / 3.47e-3 / 1e9
        let figure = try #require(A15Reference.figures[.neuralEngineRate])
        #expect(abs(rate - 3_220) < 1)
        #expect(abs(figure.high / rate - 1) < 0.01)
        #expect(abs(figure.value / rate - 0.3) < 0.005)
        #expect(abs(figure.low / rate - 0.05) < 0.001)
    }
}
