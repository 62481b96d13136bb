#if canImport(UIKit) && os(iOS)
// For mach_task_self_, which is never set.
@preconcurrency import Darwin
import Foundation
import ScanningPolicies
import UIKit

extension TraceRecorder.Conditions {
    /// What this device says of itself now.
    @MainActor public static func current() -> TraceRecorder.Conditions {
        UIDevice.current.isBatteryMonitoringEnabled = true
        // -1 where it is not known, as in a simulator.
        let level = Double(UIDevice.current.batteryLevel)
        return TraceRecorder.Conditions(
            thermalState: ThermalState(ProcessInfo.processInfo.thermalState),
            // A level is a Float of whole percents.
            batteryLevel: level < 0 ? nil : (level * 100).rounded() / 100,
            memoryBytes: footprint()
        )
    }

    /// What the system counts against the app's limit.
    private static func footprint() -> Int? {
        var info = task_vm_info_data_t()
        var count = mach_msg_type_number_t(MemoryLayout<task_vm_info_data_t>.size / MemoryLayout<natural_t>.size)
        let result = withUnsafeMutablePointer(to: &info) { pointer in
            pointer.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
                task_info(mach_task_self_, task_flavor_t(TASK_VM_INFO), $0, &count)
            }
        }
        return result == KERN_SUCCESS ? Int(info.phys_footprint) : nil
    }
}

extension ThermalState {
    /// The system's own.
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
