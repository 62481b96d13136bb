import Basics
import Foundation
package import Harness
import SpineDatasets
package import Talaria

struct BackEndOptions: Sendable, Hashable {
    /// A file; nil for the catalogue inside the program.
    var catalogue: String?
    var faults: String?
    var workers: Int
    var queue: Int

    var arguments: [String] {
        ["serve", "--rate-limit", "off", "--workers", "\(workers)", "--queue", "\(queue)", "--log-level", "notice"]
            + (catalogue.map { ["--catalogue", $0] } ?? []) + (faults.map { ["--faults", $0] } ?? [])
    }
}

/// The back ends of a run: a process for each way in which one is started.
package final class BackEnds: Sendable {
    private let processes: [BackEndOptions: BackEndProcess]
    private let given: Given?

    package struct Given: Sendable {
        var address: String
        var trust: BackEndTrust
    }

    /// Path of the program, beside this one; nil if it is missing.
    static let program: String? = {
        let own = URL(filePath: Process.ownProgram)
        // Products are named after themselves; built as a mere dependency, the program has its target's name.
        let paths = ["talaria", "TalariaCommand"].map { own.deletingLastPathComponent().appending(path: $0).path }
        return paths.first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    /// Starts the back ends of the variants, or none when one is given.
    init(for variants: [ComposedVariant], folder: String, given: Given?, interruption: Interruption) throws {
        self.given = given
        var processes: [BackEndOptions: BackEndProcess] = [:]
        for variant in given == nil ? variants : [] {
            guard let options = variant.settings.scanning?.backEnd, processes[options] == nil else { continue }
            guard let program = Self.program else {
                throw HarnessError.unavailable(variant: variant.name, reason: "talaria not found beside this program")
            }
            do {
                processes[options] = try BackEndProcess(
                    program: program,
                    options: options,
                    folder: folder,
                    name: "talaria" + (processes.isEmpty ? "" : "-\(processes.count + 1)"),
                    isStopped: { interruption.signal != nil }
                )
            } catch {
                for process in processes.values { process.stop() }
                if let signal = interruption.signal { throw HarnessError.interrupted(signal: signal) }
                throw error
            }
        }
        self.processes = processes
    }

    func address(for variant: ComposedVariant) -> Given? {
        guard let options = variant.settings.scanning?.backEnd else { return nil }
        return given
            ?? processes[options].map {
                Given(address: $0.address, trust: BackEndTrust())
            }
    }

    func stop() { for process in processes.values { process.stop() } }

    /// Returns the back ends' entries in a run's configuration; nil if no variant needs one.
    package static func references(for variants: [ComposedVariant], given: String?) -> [BackEndReference]? {
        var names: [(options: BackEndOptions, variants: [String])] = []
        for variant in variants {
            guard let options = variant.settings.scanning?.backEnd else { continue }
            if let index = names.firstIndex(where: { $0.options == options || given != nil }) {
                names[index].variants.append(variant.name)
            } else {
                names.append((options, [variant.name]))
            }
        }
        if names.isEmpty { return nil }
        let digest = given == nil ? program.flatMap { try? SHA256.hex(ofFile: $0) }.map { "sha256:" + $0 } : nil
        return names.map { options, variants in
            BackEndReference(
                variants: variants,
                codeDigest: digest,
                arguments: given.map { [$0] } ?? options.arguments
            )
        }
    }
}

/// The servers that are trusted as the back end over TLS.
package struct BackEndTrust: Sendable, Hashable {
    /// Certificates that are trusted instead of the system's, a PEM file; nil for the system's.
    package var authorities: String?
    /// Accepted keys of the server, as `sha256:` and base64; empty for any certified key.
    package var pins: [String] = []

    /// Options of a command.
    package var arguments: [String] { (authorities.map { ["--ca-file", $0] } ?? []) + pins.flatMap { ["--pin", $0] } }

    /// Returns the transport of requests to such servers.
    package func transport() throws(TalariaError) -> NetworkTransport {
        var configuration = NetworkTransport.Configuration()
        configuration.pins = try pins.map(Self.pin)
        if let authorities {
            guard let text = try? String(contentsOfFile: authorities, encoding: .utf8) else {
                throw TalariaError.badConfiguration(
                    "invalid certificate file \(authorities): --ca-file expects PEM certificates"
                )
            }
            configuration.trustedRoots = [text]
        }
        do {
            return try NetworkTransport(configuration)
        } catch {
            throw authorities.map { .badConfiguration("--ca-file \($0): \(error)") } ?? error
        }
    }

    /// Returns the pin of a text: `sha256:` or `sha256/`, and the digest as base64.
    package static func pin(_ text: String) throws(TalariaError) -> CertificatePin {
        guard let prefix = ["sha256:", "sha256/"].first(where: text.hasPrefix) else {
            throw TalariaError.badConfiguration(
                "invalid pin '\(text)': expected sha256: and the base64 SHA-256 of the server's public key"
            )
        }
        return try CertificatePin(base64: String(text.dropFirst(prefix.count)))
    }
}
