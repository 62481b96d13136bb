import ArgumentParser
import Foundation
import Harness
import OpenVINOEngine
import SpineDatasets

/// What `model` starts, so that the memory that it measures is the model's, and a model that crashes it costs no more.
struct ModelProbeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model-probe",
        abstract: "Measures for 'model'; not for people.",
        shouldDisplay: false
    )

    @Option(help: "What to do, as JSON.")
    var request: String

    func run() throws {
        let request = try JSONDecoder().decode(ModelProbeRequest.self, from: Data(request.utf8))
        // OpenVINO prints as it likes; the answers get a way of their own.
        let answers = FileHandle(fileDescriptor: dup(STDOUT_FILENO), closeOnDealloc: true)
        dup2(STDERR_FILENO, STDOUT_FILENO)
        func answer(_ answer: ModelProbeAnswer) throws { try answers.write(contentsOf: JSONLine.encode(answer)) }
        do {
            let probe = ModelProbe(request: request) { stage in
                // Whoever asked may be gone; that shows at the end.
                try? answer(.stage(stage))
            }
            try answer(.measured(probe.measure()))
        } catch let error as OpenVINOError {
            if case .precisionUnknown = error {
                try answer(.unavailable(reason: error.description))
            } else {
                try answer(.refused(reason: Self.plain(error)))
            }
        } catch let error as HarnessError {
            try answer(.refused(reason: error.description))
        }
    }

    /// OpenVINO's words without the places in its source that they begin with: the last lines say what is wrong.
    static func plain(_ error: OpenVINOError) -> String {
        guard case .callFailed(let operation, _, let message) = error else { return error.description }
        let lines = message.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        let words = lines.filter { line in
            !line.isEmpty && !line.hasPrefix("Exception from ") && !line.hasPrefix("Check '")
                && !line.hasPrefix("FrontEnd API failed with") && line != "Unexpected exception" && line != "Summary:"
        }
        let text = (words.isEmpty ? lines : words).prefix(6).joined(separator: "; ")
        return "OpenVINO cannot \(operation): \(text.isEmpty ? "it does not say why" : text)"
    }
}
