#if canImport(UIKit) && os(iOS)
import Foundation
import ScanningPolicies
import UIKit

extension TraceRecorder.Conditions {
    /// Returns the present conditions of this device.
    @MainActor public static func current() -> TraceRecorder.Conditions {
        UIDevice.current.isBatteryMonitoringEnabled = true
        // -1 where it is not known, as in a simulator.
        let level = Double(UIDevice.current.batteryLevel)
        return TraceRecorder.Conditions(
            thermalState: ThermalState(ProcessInfo.processInfo.thermalState),
            // A level is a Float of whole percents.
            batteryLevel: level < 0 ? nil : (level * 100).rounded() / 100,
            memoryBytes: ResidentMemory.bytes()
        )
    }
}

extension ThermalState {
    /// Creates the state from the system's own.
    public init(_ state: ProcessInfo.ThermalState) {
        self =
            switch state {
            case .nominal: .nominal
            case .fair: .fair
            case .serious: .serious
            case .critical: .critical
            @unknown default: .unknown
            }
    }
}
#endif
