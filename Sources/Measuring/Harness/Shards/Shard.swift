import Basics
package import SpineDatasets

/// One of the equal parts that a run is divided into, such as the second of seven: `2/7`.
///
/// Which samples belong to it hangs on the names of their groups and on the number of parts alone: not on the order of the
/// labels, the machine or the version. Samples of one group, such as a photo, are always in one shard.
package struct Shard: Sendable, Hashable, Codable, CustomStringConvertible {
    /// From 1 to ``count``.
    package let number: Int
    package let count: Int

    /// Nil unless the number is in 1…count.
    package init?(number: Int, of count: Int) {
        guard number >= 1, number <= count, count <= Self.most else { return nil }
        (self.number, self.count) = (number, count)
    }

    /// Of the text `2/7`, in digits without signs and blanks; nil of any other.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Self.whole(parts[0]), let count = Self.whole(parts[1]) else { return nil }
        self.init(number: number, of: count)
    }

    /// Parts that there may be.
    package static let most = 1_000_000

    /// A number in digits alone.
    private static func whole(_ text: Substring.UTF8View) -> Int? {
        text.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(Substring(text)) : nil
    }

    package var description: String { "\(number)/\(count)" }

    /// Every shard of so many.
    package static func all(of count: Int) -> [Shard] {
        (1...max(1, count)).compactMap { Shard(number: $0, of: count) }
    }

    // MARK: Membership

    /// The number of the shard that a group belongs to.
    ///
    /// The first eight bytes of the SHA-256 of its name in UTF-8, as a whole number with the highest byte first, modulo the
    /// number of shards, plus 1: `printf %s photo-12 | sha256sum` tells it to anybody.
    package static func number(ofGroup name: String, count: Int) -> Int {
        Int(SHA256.first64(of: name) % UInt64(count)) + 1
    }

    package func holds(group name: String) -> Bool { Self.number(ofGroup: name, count: count) == number }

    package func holds(_ sample: Sample) -> Bool { holds(group: sample.shardGroup) }

    // MARK: As text in JSON

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let shard = Shard(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "\"\(text)\" is no shard, such as 2/7"
            )
        }
        self = shard
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension Sample {
    /// What is not to be divided: the photo that it was cut from, or, without one, the sample itself.
    package var shardGroup: String { group ?? id }
}

extension ScenarioPlan {
    /// The same plan with the readings of one shard's samples alone: their order, and their places in it, stay those of the
    /// whole.
    func restricted(to shard: Shard) -> ScenarioPlan {
        var plan = self
        for index in plan.phases.indices {
            guard case .listed(let steps) = plan.phases[index].steps else { continue }
            let own = steps.filter { shard.holds($0.sample) }
            plan.phases[index].steps = .listed(own)
            plan.phases[index].leastReadings = own.count
        }
        return plan
    }
}

extension RunConfiguration {
    /// The plan of a measurement, of one shard's samples where there is a shard.
    package func plan(_ measurement: Measurement, _ dataset: Dataset, shard: Shard?) -> ScenarioPlan {
        let plan = plan(measurement, dataset)
        return shard.map { plan.restricted(to: $0) } ?? plan
    }

    /// Checks that the run may be divided.
    ///
    /// Load that several machines make at once is not the load of one: only readings one after the other can be shared out.
    ///
    /// - Throws: ``HarnessError/configuration(_:)`` when a scenario is not `single`, or devices are to be modelled.
    package func validateForShards() throws(HarnessError) {
        if let scenario = scenarios.first(where: { $0.kind != .single }) {
            throw .configuration(
                "the scenario \(scenario.label) cannot be divided into shards: what it shows is how one machine fares; run it "
                    + "without --shard, and the scenario single in shards"
            )
        }
        if devices != nil {
            throw .configuration(
                "devices are modelled on the readings of one machine, and shards have several: leave out --devices"
            )
        }
    }
}
