import Harness
import Imaging
import TestSupport
import Testing

@testable import Systems

@Suite struct FrameSequenceTests {
    /// Returns a video of grey frames, two pixels wide and high, with the chroma of each.
    private static func video(_ head: String, _ greys: [UInt8]) -> [UInt8] {
        Array("\(head)\n".utf8) + greys.flatMap { Array("FRAME\n".utf8) + Array(repeating: $0, count: 4) + [128, 128] }
    }

    @Test func aVideoIsItsLumaAtItsOwnPace() throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.video("YUV4MPEG2 W2 H2 F30000:1001 Ip C420jpeg", [10, 100, 200]), "v.y4m")
        let sequence = try FrameSequence(folder("v.y4m"), pictures: 1, seed: 1)
        #expect(sequence.framesPerSecond == 30 && sequence.files.count == 3 && sequence.count(at: 60) == 6)
        let picture = try sequence.picture(of: 1, at: 30)
        #expect(picture.width == 2 && picture.height == 2 && picture.channels == 1)
        #expect(picture.pixels.allSatisfy { abs(Int($0) - 100) <= 2 })
        // Twice as many frames a second show each one twice; after the last one comes the first.
        #expect((0..<7).map { sequence.place(of: $0, at: 60) } == [0, 0, 1, 1, 2, 2, 0])
    }

    @Test(arguments: [
        ("hello", "is not a YUV4MPEG2 video"),
        ("YUV4MPEG2 W2 F30:1", "has no width, height or frame rate in its header"),
        ("YUV4MPEG2 W2 H2 F0:1", "has 0 frames per second; expected 1 to 1000"),
        ("YUV4MPEG2 W2 H2 F30:1 C444", "has colour format 444; expected 420 or mono"),
        ("YUV4MPEG2 W4 H4 F30:1", "is truncated in frame 1"),
    ])
    func whatIsNoVideoIsSaid(head: String, problem: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.video(head, [10]), "v.y4m")
        #expect {
            try FrameSequence(folder("v.y4m"), pictures: 1, seed: 1)
        } throws: { error in
            "\(error)".contains("\(problem); make one with: ffmpeg")
        }
    }

    @Test func aVideoWithoutFramesIsSaid() throws {
        let folder = try TemporaryFolder()
        try folder.write("YUV4MPEG2 W2 H2 F30:1\n", "v.y4m")
        #expect(throws: HarnessError.self) { try FrameSequence(folder("v.y4m"), pictures: 1, seed: 1) }
    }
}
