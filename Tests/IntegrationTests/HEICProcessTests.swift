import Basics
import CommandSupport
import Foundation
import Imaging
import TestSupport
import Testing

/// HEIC pictures in a process of their own.
@Suite(.tags(.program), .inTurns, .needsProgram) struct HEICProcessTests {
    /// Returns files of the codec's own tests.
    private static func fixture(_ name: String) throws -> [UInt8] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return [UInt8](try Data(contentsOf: tests.appending(path: "ImagingTests/Fixtures/\(name)")))
    }

    private func decode(
        _ bytes: [UInt8],
        options: DecodingOptions = DecodingOptions()
    ) throws(ImageFault) -> RasterImage {
        guard let program = Program.path else { throw .notStarted(.heic) }
        return try HEICProcess(program: program, timeout: .seconds(3_600)).decode(bytes, options: options)
    }

    @Test(arguments: ["quarters.heic", "grid.heic", "turned-5.heic", "turned-6-gps.heic", "flat-256.heic"])
    func thePictureIsTheSame(_ name: String) throws {
        let bytes = try Self.fixture(name)
        #expect(try decode(bytes) == ImageCodec.decode(bytes, name: name).image)
    }

    @Test func whatTheCodecSaysOfAFileIsSaidOfIt() throws {
        let bytes = try Self.fixture("flat-256.heic")
        #expect(throws: ImageFault.tooManyPixels(width: 256, height: 256, limit: 65_535)) {
            try decode(bytes, options: DecodingOptions(maximumPixels: 65_535))
        }
        for name in ["alpha.heic", "av1.avif", "baseline.jpg"] {
            let bytes = try Self.fixture(name)
            let own = Result { try ImageCodec.decode(bytes, name: "a.heic") }
            let other = Result { try decode(bytes) }
            switch (own, other) {
            case (.success, .success): #expect(name == "baseline.jpg")
            case (.failure(let own as ImageCodecError), .failure(let other as ImageFault)): #expect(own.fault == other)
            default: Issue.record("\(name): \(own), \(other)")
            }
        }
    }

    /// Programs that end as a decoder may, and the reported error of the file.
    @Test(arguments: [
        ("kill -KILL $$", 3_600, "the process that decoded it was ended by signal 9"),
        ("ulimit -t 1; while :; do :; done", 3_600, "the process that decoded it was ended by signal"),
        ("exit 3", 3_600, "the process that decoded it ended with code 3 and no picture"),
        ("echo '{\"width\":2,\"height\":1,\"channels\":3}'; echo abc", 3_600, "ended with code 0 and no picture"),
        ("exec sleep 600", 1, "decoding it took more than"),
    ])
    func aProcessThatEndsCostsItsPictureAlone(_ script: String, _ seconds: Int, _ words: String) throws {
        let process = HEICProcess(program: "/bin/sh", arguments: ["-c", script, "sh"], timeout: .seconds(seconds))
        let error = #expect(throws: ImageFault.self) {
            try process.decode([1], options: DecodingOptions())
        }
        guard case .corrupt(.heic, let detail) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(detail.contains(words))
    }

    @Test func aProgramThatIsNotThereIsSaidToBe() {
        #expect(throws: ImageFault.notStarted(.heic)) {
            try HEICProcess(program: "/none").decode([1], options: DecodingOptions())
        }
    }
}
