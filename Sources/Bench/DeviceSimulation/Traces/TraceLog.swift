import Basics
import Foundation
import ScanningPolicies

/// A recording as it was written on a device: JSON Lines, a header and then records.
struct TraceLog: Sendable, Equatable {
    static let format = "spinebench-trace/1"

    /// Record of the device at a moment, and of the reading that ended then.
    struct Record: Sendable, Equatable {
        /// Line in the file, counted from 1.
        var line: Int
        /// Time in seconds since the recording began.
        var time: Double
        var state: ThermalState
        /// 0…1; nil when it is not known.
        var batteryLevel: Double?
        var memoryBytes: Int?
        /// nil for a sample.
        var reading: Reading?
        /// Fates of a session's frames; nil for the other records.
        var frames: [FrameFate: Int]?
    }

    struct Reading: Sendable, Equatable {
        var tier: String
        /// Time from the picture to the answer.
        var milliseconds: Double
        var stages: [String: Double]
    }

    var device: String
    var system: String
    var app: String
    /// Records in the order of time; at least one.
    var records: [Record]

    /// Reads a recording.
    ///
    /// - Throws: `DeviceError.trace` for the first line that is wrong.
    init(_ text: [UInt8], file: String) throws(DeviceError) {
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let header = try Line(Array(lines[0]), number: 1, file: file)
        try header.demandKeys(["format", "device", "system", "app"])
        let format = try header.text("format")
        guard format == Self.format else {
            throw header.fault("\"format\" is \"\(format)\"; expected \"\(Self.format)\"")
        }
        device = try header.text("device")
        system = try header.text("system")
        app = try header.text("app")
        records = []
        for (index, bytes) in lines.enumerated().dropFirst() where index < lines.count - 1 || !bytes.isEmpty {
            let line = try Line(Array(bytes), number: index + 1, file: file)
            let record = try Self.record(line)
            if let last = records.last, record.time < last.time {
                throw line.fault(
                    "\"time\" is \(ProfileFields.text(record.time)), before the "
                        + "\(ProfileFields.text(last.time)) of the line above"
                )
            }
            records.append(record)
        }
        if records.isEmpty { throw .trace(file: file, line: 2, problem: "no records after the header") }
    }

    private static func record(_ line: Line) throws(DeviceError) -> Record {
        let kind = try line.text("record")
        let shared = ["record", "time", "thermalState", "batteryLevel", "memoryBytes"]
        let own = ["reading": ["tier", "milliseconds", "stages"], "sample": [], "frames": ["frames"]]
        guard let keys = own[kind] else {
            throw line.fault("\"record\" is \"\(kind)\"; expected reading, sample or frames")
        }
        try line.demandKeys(shared + keys)
        let memory = try line.number("memoryBytes", in: 0...1e15)
        var record = Record(
            line: line.number,
            time: try line.required("time", in: 0...1e8),
            state: try line.state(),
            batteryLevel: try line.number("batteryLevel", in: 0...1),
            memoryBytes: memory.map { Int($0) }
        )
        if kind == "reading" {
            record.reading = Reading(
                tier: try line.text("tier"),
                milliseconds: try line.required("milliseconds", in: 0...1e9),
                stages: try line.stages()
            )
        }
        if kind == "frames" { record.frames = try line.frames() }
        return record
    }
}

extension TraceLog {
    /// Line with a JSON object.
    private struct Line {
        let number: Int
        let file: String
        private let fields: [String: JSONValue]

        init(_ bytes: [UInt8], number: Int, file: String) throws(DeviceError) {
            self.number = number
            self.file = file
            let value: JSONValue
            do {
                value = try JSONParser.parse(bytes)
            } catch {
                throw .trace(file: file, line: number, problem: "is not JSON: \(error)")
            }
            guard case .object(let fields) = value else {
                throw .trace(file: file, line: number, problem: "is \(value.kind); expected an object")
            }
            self.fields = fields
        }

        func fault(_ problem: String) -> DeviceError { .trace(file: file, line: number, problem: problem) }

        func demandKeys(_ keys: [String]) throws(DeviceError) {
            guard let key = fields.keys.sorted().first(where: { !keys.contains($0) }) else { return }
            throw fault("unknown key \"\(key)\"; \(NearName.hint(for: key, among: keys))")
        }

        func text(_ key: String) throws(DeviceError) -> String {
            guard let value = fields[key] else { throw fault("\"\(key)\" is missing") }
            guard case .string(let text) = value, !text.allSatisfy(\.isWhitespace) else {
                throw fault("\"\(key)\" is \(value.kind) without content; expected text")
            }
            return text
        }

        func required(_ key: String, in range: ClosedRange<Double>) throws(DeviceError) -> Double {
            guard let number = try number(key, in: range) else { throw fault("\"\(key)\" is missing") }
            return number
        }

        /// Returns a number; nil when it is missing or null.
        func number(_ key: String, in range: ClosedRange<Double>) throws(DeviceError) -> Double? {
            guard let value = fields[key], value != .null else { return nil }
            return try number(value, key, in: range)
        }

        private func number(
            _ value: JSONValue,
            _ key: String,
            in range: ClosedRange<Double>
        ) throws(DeviceError)
            -> Double
        {
            guard case .number(let number) = value else {
                throw fault("\"\(key)\" is \(value.kind); expected a number")
            }
            guard range.contains(number) else {
                throw fault("\"\(key)\" is \(ProfileFields.text(number)); expected \(ProfileFields.text(range))")
            }
            return number
        }

        func state() throws(DeviceError) -> ThermalState {
            let text = try text("thermalState")
            if let state = ThermalState(rawValue: text) { return state }
            let names = ThermalState.allCases.map(\.rawValue)
            throw fault("\"thermalState\" is \"\(text)\"; \(NearName.hint(for: text, among: names))")
        }

        func stages() throws(DeviceError) -> [String: Double] {
            guard let value = fields["stages"], value != .null else { return [:] }
            guard case .object(let parts) = value else {
                throw fault("\"stages\" is \(value.kind); expected an object")
            }
            var stages: [String: Double] = [:]
            for (name, part) in parts { stages[name] = try number(part, "stages.\(name)", in: 0...1e9) }
            return stages
        }

        func frames() throws(DeviceError) -> [FrameFate: Int] {
            guard case .object(let counts)? = fields["frames"] else {
                throw fault("\"frames\" is missing or not an object; expected the number of frames per outcome")
            }
            var frames: [FrameFate: Int] = [:]
            for (name, count) in counts {
                guard let fate = FrameFate(rawValue: name) else {
                    throw fault(
                        "unknown outcome \"\(name)\"; \(NearName.hint(for: name, among: FrameFate.allCases.map(\.rawValue)))"
                    )
                }
                frames[fate] = Int(try number(count, "frames.\(name)", in: 0...1e12))
            }
            return frames
        }
    }
}
