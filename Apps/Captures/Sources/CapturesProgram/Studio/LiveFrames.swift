import Basics
import CaptureReading
import Captures
import CommandSupport
import Foundation
import Imaging

/// Frames of a camera, from files, of which those are captured on which something new is seen.
struct LiveFrames {
    /// A frame's name for messages, and its file's bytes.
    private let frames: [(name: String, bytes: () throws -> [UInt8])]
    private let framesPerSecond: Double

    init(_ paths: [String], framesPerSecond: Double) throws {
        // A camera's names count up; "frame10" follows "frame9".
        let files = try PictureFiles(paths).paths.sorted { $0.localizedStandardCompare($1) == .orderedAscending }
        frames = files.map { path in (path, { try InputFile.bytes(path, most: CaptureIntake.mostBytes) }) }
        self.framesPerSecond = framesPerSecond
    }

    /// Looks at each frame for codes, text and the subject at once, and captures those with a new code, thing or page.
    ///
    /// - Returns: how many frames could not be read.
    func capture(
        in store: CaptureStore,
        session: inout UUID?,
        at start: Date,
        with processor: IntelligenceProcessor?
    ) throws -> Int {
        let camera = LiveLook(search: processor?.search, things: processor?.things)
        var (news, milliseconds) = (LiveChange(), 0.0)
        var (seen, kept, failures) = (0, 0, 0)
        let bar = TimedBar("frames")
        defer { bar.clear() }
        for (number, frame) in frames.enumerated() {
            let time = Double(number) / framesPerSecond
            do {
                let bytes = try frame.bytes()
                try CaptureIntake.check(size: bytes.count, of: frame.name)
                let sight = try camera.look(bytes, name: frame.name)
                milliseconds += sight.milliseconds
                seen += 1
                bar.show(number + 1, of: frames.count)
                guard news.isNew(sight, at: .seconds(time)) else { continue }
                var new = try CaptureIntake.capture(bytes, name: frame.name, at: start.addingTimeInterval(time))
                new.sessionID = session
                new.source = frame.name
                session = try store.capture(new)?.sessionID ?? session
                kept += 1
            } catch  where error is InputError || error is CaptureError || error is ImageCodecError {
                failures += 1
                Console.error("\(error)")
            }
        }
        let time = Int((milliseconds / Double(max(1, seen))).rounded())
        Console.standardError("\(seen) frames were processed, each in \(time) ms; \(kept) showed something new.")
        return failures
    }
}
