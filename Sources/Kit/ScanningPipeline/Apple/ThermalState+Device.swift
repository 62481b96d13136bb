#if canImport(UIKit) && os(iOS)
public import Foundation
public import ScanningPolicies

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
