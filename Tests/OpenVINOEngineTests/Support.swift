import Foundation
import Imaging
import TestSupport
import Testing
import TextRecognition

@testable import OpenVINOEngine

/// The real networks, when they are there.
enum RealNetworks {
    /// Reason for skipping a test that needs them.
    static let reason: Comment = "the models are not in .deps/models: run 'make setup'"

    /// Folder in which `make setup` places the models; nil when one is missing.
    static let directory: String? = {
        var folder = URL(fileURLWithPath: #filePath)
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            if FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path) { break }
        }
        let models = folder.appendingPathComponent(".deps/models").path
        let files = OpenVINOModelSet.fetched.flatMap { (try? $0.files(in: models))?.all ?? [] }
        return (files + ["\(models)/\(OpenVINOModelSet.classifierFile)"])
            .allSatisfy { FileManager.default.fileExists(atPath: $0) } ? models : nil
    }()

    static var areThere: Bool { directory != nil }

    /// Engine of all tests, which compiles each shape once.
    static let engine = Result { try engine() }

    /// Returns an engine of few shapes, in the precision that every processor has, so that the tests are quick and alike
    /// everywhere.
    static func engine(
        _ models: OpenVINOModelSet = .ppOCRv6Small,
        precision: InferencePrecision = .f32,
        canvases: [NetworkShape] = [NetworkShape(width: 640, height: 96), NetworkShape(width: 640, height: 640)],
        lineWidths: [Int] = [384, 640],
        lexicon: Lexicon? = nil,
        in folder: String? = directory,
        cache: String? = nil
    ) throws -> OpenVINOEngine {
        try OpenVINOEngine(
            models: models,
            threads: 2,
            precision: precision,
            alphabet: .latin,
            canvases: canvases,
            lineWidths: lineWidths,
            lexicon: lexicon,
            modelDirectory: folder ?? "",
            cacheDirectory: cache
        )
    }

    /// ``TextFixture/line`` at the height of the recognisers.
    static let line = TextFixture.line.resized(width: 357, height: 48)
}

extension LineRecognizer {
    /// Texts of ``RealNetworks/line``.
    func fixtureTexts() throws -> [String] { try recognize([RealNetworks.line]).lines.map(\.text) }
}

/// Lends bytes as a model.
func model<Result>(_ bytes: [UInt8], _ body: (ONNXModel) throws -> Result) rethrows -> Result {
    try bytes.withUnsafeBytes { try body(ONNXModel(bytes: $0)) }
}

/// A small classifier as the `onnx` package of Python, 1.23.2, writes it.
///
/// A weight of 2 × 4 in an initializer, 0…7, and a bias of 4 in a `Constant` node, 0.5, 1.5, 2.5, 3.5; beside them an
/// initializer of four 64-bit integers and one of 3 × 2 floats. Metadata: `character`, "a\nb\né", and `empty`.
enum SmallModel {
    static let bytes = [UInt8](
        Data(
            base64Encoded: """
                CAgSAXQ6ggIKNRIBYiIIQ29uc3RhbnQqJgoFdmFsdWUqGggEEAFCAmJ2ShAAAAA/AADAPwAAIEAAAGBAoAEEChEKAXgKAXcSAW0iBk1hdE\
                11bAoOCgFtCgFiEgF5IgNBZGQSAWcqKwgCCAQQAUIBd0ogAAAAAAAAgD8AAABAAABAQAAAgEAAAKBAAADAQAAA4EAqKQgEEAdCAWlKIAAA\
                AAAAAAAAAQAAAAAAAAACAAAAAAAAAAMAAAAAAAAAKiMIAwgCEAFCAW9KGAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAFoTCgF4Eg4KDAgBEg\
                gKAggBCgIIAmIRCgF5EgwKCggBEgYKAggBCgBCBAoAEA1yEwoJY2hhcmFjdGVyEgZhCmIKw6lyCQoFZW1wdHkSAA==
                """
        ) ?? Data()
    )

    /// Model with the classes 3, 0 and 2 of the weight and the bias, written by the same tool.
    static let withClasses302 = [UInt8](
        Data(
            base64Encoded: """
                CAgSAXQ69gEKMRIBYiIIQ29uc3RhbnQqIgoFdmFsdWUqFggDEAFCAmJ2SgwAAGBAAAAAPwAAIECgAQQKEQoBeAoBdxIBbSIGTWF0TXVsCg\
                4KAW0KAWISAXkiA0FkZBIBZyojCAIIAxABQgF3ShgAAEBAAAAAAAAAAEAAAOBAAACAQAAAwEAqKQgEEAdCAWlKIAAAAAAAAAAAAQAAAAAA\
                AAACAAAAAAAAAAMAAAAAAAAAKiMIAwgCEAFCAW9KGAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAFoTCgF4Eg4KDAgBEggKAggBCgIIAmIRCg\
                F5EgwKCggBEgYKAggBCgBCBAoAEA1yEwoJY2hhcmFjdGVyEgZhCmIKw6lyCQoFZW1wdHkSAA==
                """
        ) ?? Data()
    )
}
