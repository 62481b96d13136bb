import Basics

/// JSON object of the page, written where it is filled in; nil values are omitted.
struct PageObject: Encodable, ExpressibleByDictionaryLiteral {
    private var values: [String: any Encodable] = [:]

    init(dictionaryLiteral elements: (String, (any Encodable)?)...) {
        for (name, value) in elements { values[name] = value }
    }

    subscript(name: String) -> (any Encodable)? {
        get { values[name] }
        set { values[name] = newValue }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in values { try container.encode(value, forKey: Name(stringValue: name)) }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }
}

/// A JSON array of the page whose elements are of several types.
struct PageArray: Encodable, ExpressibleByArrayLiteral {
    var elements: [(any Encodable)?]

    init(arrayLiteral elements: (any Encodable)?...) { self.elements = elements }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in elements {
            if let element { try container.encode(element) } else { try container.encodeNil() }
        }
    }
}

extension PageObject {
    /// Returns a figure with the ends of its interval, as far as it has them.
    static func figure(_ value: Figure, low: Double? = nil, high: Double? = nil) -> PageObject {
        ["value": value, "low": low, "high": high]
    }

    /// Returns a share with its counts and the ends of its interval.
    static func share(_ successes: Int, of trials: Int, _ interval: ClosedRange<Double>?) -> PageObject {
        ["successes": successes, "trials": trials, "low": interval?.lowerBound, "high": interval?.upperBound]
    }
}
