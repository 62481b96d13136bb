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

    private func read(
        _ bytes: [UInt8],
        _ options: DecodingOptions = DecodingOptions(),
        isHeaderOnly: Bool = false
    ) throws(ImageFault) -> HEICPicture {
        guard let program = Program.path else { throw .notStarted(.heic) }
        let process = HEICProcess(program: program, timeout: .seconds(3_600))
        return try process.read(bytes, options, isHeaderOnly: isHeaderOnly)
    }

    @Test(arguments: ["quarters.heic", "grid.heic", "turned-5.heic", "turned-6-gps.heic", "flat-256.heic"])
    func thePictureIsTheSame(_ name: String) throws {
        let bytes = try Self.fixture(name)
        let own = try ImageCodec.decode(bytes, name: name).image
        #expect(try read(bytes) == (own.width, own.height, own.pixels))
        #expect(try read(bytes, isHeaderOnly: true) == (own.width, own.height, []))
    }

    @Test func whatTheCodecSaysOfAFileIsSaidOfIt() throws {
        #expect(throws: ImageFault.tooManyPixels(width: 256, height: 256, limit: 65_535)) {
            try read(Self.fixture("flat-256.heic"), DecodingOptions(maximumPixels: 65_535))
        }
        #expect(throws: ImageFault.unsupported(.heic, "a picture with transparency")) {
            try read(Self.fixture("alpha.heic"), isHeaderOnly: true)
        }
    }

    /// One reference: from item 2, the grid, to one item, 1; set to 2.
    @Test func aGridThatIsMadeOfItselfCostsItsPictureAlone() throws {
        var bytes = try Self.fixture("grid.heic")
        let reference = try #require(bytes.indices.first { bytes[$0...].starts(with: "dimg".utf8) })
        #expect(Array(bytes[reference + 4..<reference + 10]) == [0, 2, 0, 1, 0, 1])
        bytes[reference + 9] = 2
        let error = #expect(throws: ImageFault.self) { try read(bytes) }
        #expect(error?.description.contains("the process that decoded it was ended by signal") == true)
    }

    /// Bytes of the tables and of the coded data replaced at random.
    @Test(arguments: ["quarters.heic", "grid.heic", "turned-6-gps.heic"])
    func damagedFilesEndInAPictureOrAnError(_ name: String) throws {
        let bytes = try Self.fixture(name)
        var generator = SplitMix64(state: 46)
        for _ in 0..<12 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                damaged[Int.random(in: 12..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            do throws(ImageFault) {
                let (width, height, pixels) = try read(damaged)
                #expect(pixels.count == 3 * width * height)
            } catch {
                #expect(error != .notStarted(.heic))
            }
        }
    }

    /// Programs that end as a decoder may, and the reported error of the file.
    @Test(arguments: [
        ("kill -KILL $$", 3_600, "the process that decoded it was ended by signal 9"),
        ("ulimit -t 1; while :; do :; done", 3_600, "the process that decoded it was ended by signal"),
        ("exit 3", 3_600, "the process that decoded it ended with code 3 and no picture"),
        ("echo '{\"width\":2,\"height\":1}'; echo abc", 3_600, "ended with code 0 and no picture"),
        ("exec sleep 600", 1, "decoding it took more than"),
    ])
    func aProcessThatEndsCostsItsPictureAlone(_ script: String, _ seconds: Int, _ words: String) throws {
        let process = HEICProcess(program: "/bin/sh", arguments: ["-c", script, "sh"], timeout: .seconds(seconds))
        let error = #expect(throws: ImageFault.self) {
            try process.read([1], DecodingOptions(), isHeaderOnly: false)
        }
        guard case .corrupt(.heic, let detail) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(detail.contains(words))
    }

    @Test func aProgramThatIsNotThereIsSaidToBe() {
        #expect(throws: ImageFault.notStarted(.heic)) {
            try HEICProcess(program: "/none").read([1], DecodingOptions(), isHeaderOnly: false)
        }
    }
}
