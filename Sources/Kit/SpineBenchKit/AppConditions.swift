import Foundation

#if canImport(Darwin)
// Required for mach_task_self_, which is never set.
@preconcurrency import Darwin
#endif
#if canImport(UIKit) && os(iOS)
import UIKit
#endif

/// State of this app and its device.
enum AppConditions {
    /// Returns the memory that counts against the app, in bytes; nil when the system does not report it.
    ///
    /// The footprint: Apple's own; on Linux anonymous and shared memory and what of it is swapped, as `spinebench run`
    /// counts it.
    static func memory() -> Double? {
        #if canImport(Darwin)
        var info = task_vm_info_data_t()
        var count = mach_msg_type_number_t(MemoryLayout<task_vm_info_data_t>.size / MemoryLayout<natural_t>.size)
        let status = withUnsafeMutablePointer(to: &info) { pointer in
            pointer.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
                task_info(mach_task_self_, task_flavor_t(TASK_VM_INFO), $0, &count)
            }
        }
        return status == KERN_SUCCESS ? Double(info.phys_footprint) : nil
        #else
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
        // The kernel gives kibibytes: "RssAnon:     12345 kB".
        let kibibytes = status.split(separator: "\n")
            .filter { line in ["RssAnon:", "RssShmem:", "VmSwap:"].contains { line.hasPrefix($0) } }
            .compactMap { Double($0.filter(\.isNumber)) }
        return kibibytes.isEmpty ? nil : kibibytes.reduce(0, +) * 1_024
        #endif
    }

    /// Returns the state of heat; nil where the system has none.
    static func thermal() -> Recording.Thermal? {
        #if canImport(Darwin)
        switch ProcessInfo.processInfo.thermalState {
        case .nominal: return .nominal
        case .fair: return .fair
        case .serious: return .serious
        case .critical: return .critical
        @unknown default: return nil
        }
        #else
        return nil
        #endif
    }

    /// Returns the battery's charge, 0…1; nil without a battery that the system reports to apps.
    static func battery() async -> Double? {
        #if canImport(UIKit) && os(iOS)
        return await MainActor.run { () -> Double? in
            UIDevice.current.isBatteryMonitoringEnabled = true
            // -1 where it is not known, as in a simulator; otherwise a Float of whole percents.
            let level = Double(UIDevice.current.batteryLevel)
            return level < 0 ? nil : (level * 100).rounded() / 100
        }
        #else
        return nil
        #endif
    }
}

/// The most memory in use while it exists, taken every 10 ms.
final class MemoryPeak: @unchecked Sendable {
    // The lock protects it.
    private var most = AppConditions.memory()
    private let lock = NSLock()
    private let timer = DispatchSource.makeTimerSource(queue: .global(qos: .userInitiated))

    init() {
        timer.schedule(deadline: .now() + .milliseconds(10), repeating: .milliseconds(10))
        timer.setEventHandler { [weak self] in self?.take() }
        timer.activate()
    }

    /// Ends the sampling, and returns the highest value in bytes; nil when the system does not report it.
    func end() -> Double? {
        timer.cancel()
        take()
        return lock.withLock { most }
    }

    private func take() {
        guard let now = AppConditions.memory() else { return }
        lock.withLock { most = max(most ?? now, now) }
    }
}

extension Recording.Header.App {
    /// The app in which this runs; without the digest of its program where programs are not an app's.
    public static var current: Recording.Header.App {
        let facts = Bundle.main.infoDictionary ?? [:]
        let version = facts["CFBundleShortVersionString"] as? String
        let build = (facts["CFBundleVersion"] as? String).map { " (\($0))" } ?? ""
        #if canImport(Darwin)
        let program = Bundle.main.executableURL.flatMap { try? Data(contentsOf: $0, options: .mappedIfSafe) }
        #else
        let program: Data? = nil
        #endif
        return Self(
            identifier: Bundle.main.bundleIdentifier,
            version: version.map { $0 + build },
            digest: program.map(Digest.hex)
        )
    }
}

extension Recording.Header.Device {
    /// The device on which this runs.
    public static var current: Recording.Header.Device {
        let variables = ProcessInfo.processInfo.environment
        let version = ProcessInfo.processInfo.operatingSystemVersion
        let number = "\(version.majorVersion).\(version.minorVersion)"
        #if os(iOS)
        let simulated = variables["SIMULATOR_MODEL_IDENTIFIER"]
        return Self(
            model: simulated ?? system("hw.machine") ?? "iPhone",
            os: "iOS \(number)",
            simulator: simulated == nil ? nil : true
        )
        #elseif canImport(Darwin)
        return Self(
            model: system("hw.model") ?? "Mac",
            os: "macOS \(number)",
            processor: system("machdep.cpu.brand_string")
        )
        #else
        _ = variables
        let processor = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n")
            .first { $0.hasPrefix("model name") }?.split(separator: ":").last
        return Self(
            model: "computer",
            os: "Linux \(number)",
            processor: processor.map { $0.trimmingCharacters(in: .whitespaces) }
        )
        #endif
    }

    #if canImport(Darwin)
    /// Returns a text that the kernel has under a name.
    private static func system(_ name: String) -> String? {
        var size = 0
        guard sysctlbyname(name, nil, &size, nil, 0) == 0, size > 1 else { return nil }
        var bytes = [UInt8](repeating: 0, count: size)
        guard sysctlbyname(name, &bytes, &size, nil, 0) == 0 else { return nil }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    #endif
}
