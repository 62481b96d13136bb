import Basics
import Dispatch
import Foundation
import Synchronization

/// A file with a record a line, read in blocks whose lines all cores parse.
package struct LineFile {
    /// Maximum length of a line: a shelf of 25 spines takes some thousand bytes; a longer line has no end.
    package static let maximumLine = 1 << 20

    package enum Line<Record: Sendable>: Sendable {
        case parsed(Record)
        case tooLong
    }

    private let handle: FileHandle
    private let blockSize: Int
    private let maximumLine: Int
    package init(_ path: String, blockSize: Int = 4 << 20, maximumLine: Int = LineFile.maximumLine) throws {
        handle = try FileHandle(forReadingFrom: URL(filePath: path))
        self.blockSize = blockSize
        self.maximumLine = maximumLine
    }

    /// Parses every line that is not blank on all cores, and hands the records over in the file's order.
    ///
    /// `parse`: Given a line without its end, and the offset in bytes at which it begins. `take`: Given the line's
    /// number, from 1.
    package func read<Record: Sendable>(
        parse: @escaping @Sendable (UnsafeBufferPointer<UInt8>, _ place: Int) -> Record,
        take: (_ line: Int, Line<Record>) throws -> Void
    ) throws {
        var number = 1
        // Offset of `pending` in the file.
        var place = 0
        var pending: [UInt8] = []
        var isSkipping = false
        var isFirst = true
        while true {
            let data = try handle.read(upToCount: blockSize) ?? Data()
            var fresh = data[...]
            if isFirst { (fresh, place) = (data.withoutByteOrderMark, data.count - data.withoutByteOrderMark.count) }
            isFirst = false
            if isSkipping, let end = fresh.firstIndex(of: lineEnd) {
                isSkipping = false
                number += 1
                place += fresh.distance(from: fresh.startIndex, to: end) + 1
                fresh = fresh[(end + 1)...]
            }
            if !isSkipping { pending += fresh }
            let whole = data.isEmpty ? pending.count : (pending.lastIndex(of: lineEnd) ?? -1) + 1
            for slice in parsed(pending, upTo: whole, place: place, parse) {
                for (offset, line) in slice.lines { try take(number + offset, line) }
                number += slice.lineEnds
            }
            pending.removeFirst(whole)
            place += whole
            if data.isEmpty { return }
            if pending.count > maximumLine {
                try take(number, .tooLong)
                place += pending.count
                pending = []
                isSkipping = true
            }
        }
    }

    private let lineEnd = UInt8(ascii: "\n")

    /// The lines of some part of a block, numbered from the part's first.
    private struct Slice<Record: Sendable>: Sendable {
        var lines: [(offset: Int, line: Line<Record>)] = []
        var lineEnds = 0
    }

    private func parsed<Record: Sendable>(
        _ bytes: [UInt8],
        upTo end: Int,
        place: Int,
        _ parse: @escaping @Sendable (UnsafeBufferPointer<UInt8>, Int) -> Record
    ) -> [Slice<Record>] {
        let starts = starts(of: bytes, upTo: end)
        return Parallel.map(starts.count) { index in
            let range = starts[index]..<(index + 1 < starts.count ? starts[index + 1] : end)
            return bytes.withUnsafeBufferPointer { buffer in
                slice(UnsafeBufferPointer(rebasing: buffer[range]), place: place + range.lowerBound, parse)
            }
        }
    }

    private func starts(of bytes: [UInt8], upTo end: Int) -> [Int] {
        // More slices than cores, so that one with long lines does not leave the others waiting.
        let wanted = 4 * ProcessInfo.processInfo.activeProcessorCount
        var starts = [0]
        for part in 1..<max(2, wanted) {
            let guess = max(end * part / wanted, starts[starts.count - 1])
            guard let lineEnd = bytes[guess..<end].firstIndex(of: lineEnd), lineEnd + 1 < end else { break }
            starts.append(lineEnd + 1)
        }
        return starts
    }

    private func slice<Record>(
        _ bytes: UnsafeBufferPointer<UInt8>,
        place: Int,
        _ parse: (UnsafeBufferPointer<UInt8>, Int) -> Record
    ) -> Slice<Record> {
        var slice = Slice<Record>()
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: lineEnd) ?? bytes.count
            if end - start > maximumLine {
                slice.lines.append((slice.lineEnds, .tooLong))
            } else if !bytes[start..<end].allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) {
                let line = UnsafeBufferPointer(rebasing: bytes[start..<end])
                slice.lines.append((slice.lineEnds, .parsed(parse(line, place + start))))
            }
            slice.lineEnds += end < bytes.count ? 1 : 0
            start = end + 1
        }
        return slice
    }
}

package enum Parallel {
    /// Returns the results of `work` for 0, 1, … up to `count`, in that order; it runs on all cores.
    package static func map<Value: Sendable>(_ count: Int, _ work: @escaping @Sendable (Int) -> Value) -> [Value] {
        let lanes = ProcessInfo.processInfo.activeProcessorCount
        let state = Mutex((next: 0, values: [Value?](repeating: nil, count: count)))
        let group = DispatchGroup()
        for _ in 0..<min(lanes, count) {
            group.enter()
            let thread = Thread {
                while let index = state.withLock({ state -> Int? in
                    defer { state.next += 1 }
                    return state.next < count ? state.next : nil
                }) {
                    let value = work(index)
                    state.withLock { $0.values[index] = value }
                }
                group.leave()
            }
            // Decoders are used to the first thread's stack.
            thread.stackSize = 8 << 20
            thread.start()
        }
        group.wait()
        return state.withLock { $0.values.compactMap(\.self) }
    }
}
