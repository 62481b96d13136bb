import Basics
import Foundation

package struct HostDescription: Sendable, Equatable, Codable {
    package var cpu: String
    /// Processors that this process may use; 0 for a device that a file names.
    package var cores: Int
    package var memoryBytes: UInt64
    package var operatingSystem: String
    package var kernel: String
    /// Runnable processes over the last minute when the run began: well above 0, distrust latencies; nil where unknown.
    package var loadAverage: Double?
    /// True for a phone, to which targets in milliseconds apply; nil for any other machine.
    package var isPhone: Bool?

    /// Fingerprint for comparable latencies: processor, cores, memory to a quarter of a GiB, and system, not the
    /// kernel.
    package var fingerprint: String {
        if cores == 0 { return cpu }
        let quarters = (Double(memoryBytes) / Double(1 << 28)).rounded()
        let memory = NumberText.fixed(quarters / 4, 2)
        return "\(cpu), \(NumberText.count(cores, "core")), \(memory) GiB, \(operatingSystem)"
    }

    package static func current() -> HostDescription {
        let info = ProcessInfo.processInfo
        var loads = [0.0]
        return HostDescription(
            cpu: processor { value(of: $0, separator: ":", in: "/proc/cpuinfo") } ?? system.architecture,
            cores: info.activeProcessorCount,
            memoryBytes: info.physicalMemory,
            operatingSystem: value(of: "PRETTY_NAME", separator: "=", in: "/etc/os-release")
                ?? info.operatingSystemVersionString,
            kernel: system.kernel,
            loadAverage: getloadavg(&loads, 1) == 1 ? loads[0] : nil,
            isPhone: isPhone
        )
    }

    /// Returns the name of this machine within a cluster: `SPINEBENCH_HOST`, Slurm's name of the node, or its own name,
    /// which for a pod of Kubernetes is not its node's.
    package static func machineName(_ variables: [String: String] = ProcessInfo.processInfo.environment) -> String {
        let given = ["SPINEBENCH_HOST", "SLURMD_NODENAME"].compactMap { variables[$0] }.first { !$0.isEmpty }
        var name = utsname()
        return given ?? (uname(&name) == 0 ? text(&name.nodename) : "unknown")
    }

    /// Returns a processor's name with its family and model: a hypervisor may call several generations "AMD EPYC".
    static func processor(_ value: (String) -> String?) -> String? {
        guard let name = value("model name") else { return nil }
        guard let family = value("cpu family"), let model = value("model") else { return name }
        return "\(name) (family \(family), model \(model))"
    }

    /// Returns the value of the first line of a file with `key`, without quotes.
    private static func value(of key: String, separator: Character, in file: String) -> String? {
        let text = String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
        return text.split(separator: "\n").lazy
            .map { $0.split(separator: separator, maxSplits: 1).map { $0.trimmingCharacters(in: quotes) } }
            .first { $0.first == key && $0.count == 2 }?[1]
    }

    private static let quotes = CharacterSet(charactersIn: " \t\"")

    private static var isPhone: Bool? {
        #if os(iOS)
        true
        #else
        nil
        #endif
    }

    private static var system: (kernel: String, architecture: String) {
        var name = utsname()
        guard uname(&name) == 0 else { return ("unknown", "unknown") }
        return (text(&name.sysname) + " " + text(&name.release), text(&name.machine))
    }

    /// Returns the C string in one of `utsname`'s fields, which Swift sees as a tuple of characters.
    private static func text<Field>(_ field: inout Field) -> String {
        withUnsafeBytes(of: &field) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

extension HostDescription {
    /// Creates the description of the devices that files of readings name: none, one or several.
    package init(devices: [String]) {
        let name = devices.isEmpty ? "a device that is not stated" : devices.joined(separator: "; ")
        self.init(cpu: name, cores: 0, memoryBytes: 0, operatingSystem: "", kernel: "")
    }
}
