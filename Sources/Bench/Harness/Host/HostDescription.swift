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
            cpu: processor(values(of: "/proc/cpuinfo", separator: ":")) ?? system.architecture,
            cores: info.activeProcessorCount,
            memoryBytes: info.physicalMemory,
            operatingSystem: values(of: "/etc/os-release", separator: "=")["PRETTY_NAME"]
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

    /// Name of this machine with its fingerprint: machines of one name differ by what they are.
    static var machine: String { "\(machineName()) (\(current().fingerprint))" }

    /// Returns a processor's name with its family and model: a hypervisor may call several generations "AMD EPYC".
    static func processor(_ values: [String: String]) -> String? {
        guard let name = values["model name"] else { return nil }
        guard let family = values["cpu family"], let model = values["model"] else { return name }
        return "\(name) (family \(family), model \(model))"
    }

    /// Returns the values of a file's lines by their keys, without quotes; of several with a key, the first one.
    private static func values(of file: String, separator: Character) -> [String: String] {
        let quotes = CharacterSet(charactersIn: " \t\"")
        let text = String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
        let parts = text.split(separator: "\n").map { line in
            line.split(separator: separator, maxSplits: 1).map { $0.trimmingCharacters(in: quotes) }
        }
        return Dictionary(parts.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { first, _ in first }
    }

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
