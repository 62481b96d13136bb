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
        let header = try Self.decode(Header.self, lines[0], line: 1, file: file)
        (device, system, app) = (header.device, header.system, header.app)
        records = []
        for (index, bytes) in lines.enumerated().dropFirst() where index < lines.count - 1 || !bytes.isEmpty {
            let (last, line) = (records.last?.time ?? 0, try Self.decode(Line.self, bytes, line: index + 1, file: file))
            if line.time < last {
                let times = "is \(NumberText.short(line.time)), before the \(NumberText.short(last)) of the line above"
                throw .trace(file: file, line: index + 1, problem: "time: \(times)")
            }
            records.append(line.traced)
        }
        if records.isEmpty { throw .trace(file: file, line: 2, problem: "no records after the header") }
    }

    /// - Throws: `DeviceError.trace` with the first fault.
    private static func decode<Value: Decodable>(
        _ type: Value.Type,
        _ bytes: ArraySlice<UInt8>,
        line: Int,
        file: String
    ) throws(DeviceError) -> Value {
        let faults = FaultCollector(file: file)
        do throws(Faults) {
            let root = try JSONParser.node(Array(bytes), line: line, faults)
            return try LocatedDecoder.decode(type, from: root, faults)
        } catch {
            let fault = error.faults[0]
            let path = fault.path.isEmpty ? "" : fault.path + ": "
            throw .trace(file: file, line: line, problem: path + fault.problem)
        }
    }

    private struct Header: Decodable, Checked {
        var format, device, system, app: String

        mutating func check(_ at: Checker) {
            if format != TraceLog.format { at["format"].unexpected("\"\(TraceLog.format)\"") }
            for (key, text) in [("device", device), ("system", system), ("app", app)] { at[key].filled(text) }
        }
    }

    private struct Line: Decodable, Checked {
        enum Kind: String, Decodable, CaseIterable { case reading, sample, frames }

        var record: Kind
        var time: Double
        var thermalState: ThermalState
        var batteryLevel: Double?
        var memoryBytes: Double?
        var tier: String?
        var milliseconds: Double?
        var stages: [String: Double]?
        var frames: [FrameFate: Double]?

        mutating func check(_ at: Checker) {
            at["time"].range(time, 0...1e8)
            at["batteryLevel"].range(batteryLevel, 0...1)
            at["memoryBytes"].range(memoryBytes, 0...1e15)
            at["milliseconds"].range(milliseconds, 0...1e9)
            at["tier"].filled(tier)
            for (name, time) in stages ?? [:] { at["stages"][name].range(time, 0...1e9) }
            for (fate, count) in frames ?? [:] { at["frames"][fate.rawValue].range(count, 0...1e12) }
            let own: [Kind: [String]] = [.reading: ["tier", "milliseconds", "stages"], .frames: ["frames"]]
            guard at["record"].isSound else { return }
            for key in own[record] ?? [] where key != "stages" && !at[key].isGiven {
                at[key].fault("the key is missing")
            }
            for (kind, keys) in own where kind != record {
                for key in keys where at[key].isGiven { at[key].faultOfKey("is only of a record \"\(kind.rawValue)\"") }
            }
        }

        var traced: Record {
            var traced = Record(time: time, state: thermalState, batteryLevel: batteryLevel)
            traced.memoryBytes = memoryBytes.map { Int($0) }
            if let milliseconds {
                traced.reading = Reading(tier: tier ?? "", milliseconds: milliseconds, stages: stages ?? [:])
            }
            traced.frames = frames?.mapValues { Int($0) }
            return traced
        }
    }
}
