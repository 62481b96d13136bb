import ScanningPolicies
import Testing

@testable import DeviceSimulation

@Suite struct PowerMeterTests {
    private func meter(_ change: (inout SessionPlan) -> Void = { _ in }) -> PowerMeter {
        PowerMeter(plan: .with(change), values: .plain(), powers: [1, 0.8, 0.5, 0.25, 0.5, 0.4, 0.25, 0.125])
    }

    @Test func energyIsPowerTimesTime() {
        var meter = meter { $0.link = .cellular }
        // 2 s: base, display, camera, radio and one thread of the CPU.
        meter.radio = .active
        meter.foreground = PowerMeter.Work(isOnUnit: false, level: 0)
        meter.advance(to: 2 * VirtualTime.second)
        // 3 s: the camera is off, the radio has its tail, the unit is throttled, a second thread works as well.
        meter.cameraIsOn = false
        meter.radio = .tail
        meter.foreground = PowerMeter.Work(isOnUnit: true, level: 2)
        meter.worker = PowerMeter.Work(isOnUnit: false, level: 1)
        meter.advance(to: 5 * VirtualTime.second)
        let energy = meter.energy
        #expect(energy.base == 5 * 0.25)
        #expect(energy.display == 5 * 0.5)
        #expect(energy.camera == 2 * 1)
        #expect(abs(energy.cpu - (2 * 2 + 3 * 2 * 0.8)) < 1e-12)
        #expect(abs(energy.neuralEngine - 3 * 0.5 * 0.5) < 1e-12)
        #expect(energy.gpu == 0)
        #expect(energy.radio == 2 * 2 + 3 * 1)
        #expect(meter.busy.cpu == 5 * VirtualTime.second)
        #expect(meter.busy.unit == 3 * VirtualTime.second)
        #expect(meter.isBalanced)
        #expect(abs(meter.heat - energy.total) < 1e-9)
    }

    @Test func computeUnitsWarmTheChipAndAllElseTheSkin() {
        var idle = meter()
        idle.advance(to: 60 * VirtualTime.second)
        // No power in the chip: it is never warmer than the skin, and the skin is warmer than the air.
        #expect(idle.temperatures.chip <= idle.temperatures.skin)
        #expect(idle.temperatures.skin > 25)
        var busy = meter()
        busy.foreground = PowerMeter.Work(isOnUnit: false, level: 0)
        busy.advance(to: 60 * VirtualTime.second)
        #expect(busy.temperatures.chip > busy.temperatures.skin)
    }

    @Test func backgroundLoadIsTheGPUs() {
        var meter = meter { $0.backgroundLoad = 0.3 }
        meter.advance(to: 10 * VirtualTime.second)
        #expect(abs(meter.energy.gpu - 3) < 1e-12)
        #expect(meter.isBalanced)
    }

    @Test func aWarmStartGivesItsHeatToTheAir() {
        var meter = meter { $0.startTemperature = 40 }
        meter.cameraIsOn = false
        meter.advance(to: 600 * VirtualTime.second)
        #expect(meter.temperatures.skin < 40)
        #expect(meter.isBalanced)
    }
}
