package import Basics
import Foundation

/// The form of a profile's file: see `Devices/README.md`.
extension DeviceProfile: Checked {
    package static var defaults: [String: LocatedNode.Content] {
        ["claims": .mapping { [] }, "notes": .list { [] }]
    }

    /// Reads a profile, with every figure in its range.
    package init(file: String) throws(Faults) {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw Faults([Fault(file: file, message: "the file cannot be read")])
        }
        self = try Self.parse([UInt8](data), file: file)
    }

    static func parse(_ bytes: [UInt8], file: String) throws(Faults) -> DeviceProfile {
        let faults = FaultCollector(file: file)
        return try LocatedDecoder.decode(DeviceProfile.self, from: try JSONParser.node(bytes, faults), faults)
    }

    package mutating func check(_ at: Checker) {
        at["name"].filled(name)
        at["chip"].filled(chip)
        memory.check(in: 0.5...64, "GB", at["memory"])
        if !(1..<1000).contains(systems.lowerBound) || systems.upperBound >= 1000, at["systems"].isSound {
            at["systems"].unexpected("the oldest and the newest major version, such as [15, 26]")
        }
        for (name, claim) in claims { claim.check(in: -1e9...1e9, "", at["claims"][name]) }
        for (index, note) in notes.enumerated() { at["notes"][index].filled(note) }
        let place = at["figures"]
        for figure in DeviceFigure.allCases {
            let own = place[figure.rawValue]
            if figure.meaning.isOfProfiles {
                figures[figure]?.check(in: figure.meaning.range, figure.meaning.unit, own)
                if place.isGiven, !own.isGiven { own.fault("the key is missing") }
            } else if own.isStated {
                own.faultOfKey("unknown key; profiles do not have it")
            }
        }
        for side in [("low", \Estimate.low), ("value", \.value), ("high", \.high)] {
            order([.fairAt, .seriousAt, .criticalAt], side, "above", place) { $0 < $1 }
            order([.fairSpeed, .seriousSpeed, .criticalSpeed], side, "at most", place) { $0 >= $1 }
        }
    }

    private func order(
        _ order: [DeviceFigure],
        _ side: (key: String, path: KeyPath<Estimate, Double>),
        _ relation: String,
        _ at: Checker,
        isInOrder: (Double, Double) -> Bool
    ) {
        for (first, second) in zip(order, order.dropFirst()) {
            guard let before = figures[first]?[keyPath: side.path], let after = figures[second]?[keyPath: side.path],
                !isInOrder(before, after),
                at[first.rawValue].isSound, at[second.rawValue].isSound
            else { continue }
            at[second.rawValue][side.key].unexpected("\(relation) \(first.rawValue)'s \(NumberText.short(before))")
        }
    }
}

extension Estimate: Checked {
    package mutating func check(_ at: Checker) {
        at["source"].filled(source)
        guard at.isSound else { return }
        if low > value { at["low"].fault("\(NumberText.short(low)) is above the value \(NumberText.short(value))") }
        if high < value { at["high"].fault("\(NumberText.short(high)) is below the value \(NumberText.short(value))") }
    }

    fileprivate func check(in range: ClosedRange<Double>, _ unit: String, _ at: Checker) {
        at["value"].range(value, range, unit)
        at["low"].range(low, range, unit)
        at["high"].range(high, range, unit)
    }
}
