import Basics
import Foundation
import ScanningPolicies

/// A recording as it was written on a device: JSON Lines, a header and then records.
struct TraceLog: Sendable, Equatable {
    static let format = "spinebench-trace/1"

    /// Record of the device at a moment, and of the reading that ended then.
    struct Record: Sendable, Equatable {
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

    /// - Throws: `DeviceError.trace` for the first line that is wrong.
    init(_ text: [UInt8], file: String) throws(DeviceError) {
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        (device, system, app) = try Self.object(lines[0], line: 1, file: file, Self.header)
        records = []
        for (index, bytes) in lines.enumerated().dropFirst() where index < lines.count - 1 || !bytes.isEmpty {
            let last = records.last?.time ?? 0
            let record = try Self.object(bytes, line: index + 1, file: file) { fields, value in
                Self.record(&fields, value, line: index + 1, after: last)
            }
            records.append(record)
        }
        if records.isEmpty { throw .trace(file: file, line: 2, problem: "no records after the header") }
    }

    /// Returns what `read` makes of the JSON of a line, which it gives nil for only with a fault.
    ///
    /// - Throws: `DeviceError.trace` with the first fault.
    private static func object<Value>(
        _ bytes: ArraySlice<UInt8>,
        line: Int,
        file: String,
        _ read: (inout ProfileFields, JSONValue) -> Value?
    ) throws(DeviceError) -> Value {
        var fields = ProfileFields(file: file, bytes: [], members: [:], firstLine: line)
        var result: Value?
        do throws(JSONFault) {
            result = read(&fields, try JSONParser.parse(Array(bytes)))
        } catch {
            fields.fault("", "is not JSON: \(error)")
        }
        guard let result, fields.faults.isEmpty else {
            throw .trace(file: file, line: line, problem: fields.faults.first?.text ?? "is not a record")
        }
        return result
    }

    private static func header(
        _ fields: inout ProfileFields,
        _ value: JSONValue
    ) -> (device: String, system: String, app: String)? {
        guard let object = fields.object(value, "", keys: ["format", "device", "system", "app"]) else { return nil }
        let found = fields.text(object["format"], "format")
        if found != format { fields.fault("format", "is \"\(found)\"; expected \"\(format)\"") }
        return (
            fields.text(object["device"], "device"), fields.text(object["system"], "system"),
            fields.text(object["app"], "app")
        )
    }

    private enum Kind: String, CaseIterable {
        case reading, sample, frames

        var keys: [String] {
            let shared = ["record", "time", "thermalState", "batteryLevel", "memoryBytes"]
            return switch self {
            case .reading: shared + ["tier", "milliseconds", "stages"]
            case .sample: shared
            case .frames: shared + ["frames"]
            }
        }
    }

    private static func record(
        _ fields: inout ProfileFields,
        _ value: JSONValue,
        line: Int,
        after last: Double
    ) -> Record? {
        guard var object = fields.object(value, "", keys: nil),
            let kind = fields.choice(object["record"], "record", of: Kind.self)
        else { return nil }
        _ = fields.object(value, "", keys: kind.keys)
        object = object.filter { $0.value != .null }
        func number(_ key: String, in range: ClosedRange<Double>) -> Double? {
            fields.number(object[key], key, in: range, unit: "")
        }
        guard let time = number("time", in: 0...1e8),
            let state = fields.choice(object["thermalState"], "thermalState", of: ThermalState.self)
        else { return nil }
        if time < last {
            fields.fault("time", "is \(NumberText.short(time)), before the \(NumberText.short(last)) of the line above")
        }
        var record = Record(time: time, state: state)
        if object["batteryLevel"] != nil { record.batteryLevel = number("batteryLevel", in: 0...1) }
        if object["memoryBytes"] != nil { record.memoryBytes = number("memoryBytes", in: 0...1e15).map { Int($0) } }
        switch kind {
        case .sample: break
        case .reading:
            let tier = fields.text(object["tier"], "tier")
            guard let milliseconds = number("milliseconds", in: 0...1e9) else { return nil }
            let stages = object["stages"].map { fields.numbers($0, "stages", keys: nil, in: 0...1e9) }
            record.reading = Reading(tier: tier, milliseconds: milliseconds, stages: stages ?? [:])
        case .frames:
            let fates = FrameFate.allCases.map(\.rawValue)
            let counts = fields.numbers(object["frames"], "frames", keys: fates, in: 0...1e12)
            record.frames = counts.reduce(into: [:]) { frames, count in
                if let fate = FrameFate(rawValue: count.key) { frames[fate] = Int(count.value) }
            }
        }
        return record
    }
}
