public import ArgumentParser
public import Basics
public import Evaluation
import Foundation
public import Harness
package import ScanningPolicies
public import SpineDatasets

// Values of options, as command lines write them.

package func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String) throws -> Choice {
    try choice(name, refusal: "invalid value")
}

package func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String, refusal: String) throws -> Choice {
    if let choice = Choice(rawValue: name) { return choice }
    let hint = NearName.hint(for: name, among: Choice.allCases.map(\.rawValue))
    throw ValidationError("\(refusal) '\(name)'; \(hint)")
}

/// Returns `--column field=name` by field.
package func columnNames<Field: RawRepresentable<String> & CaseIterable & Hashable>(
    _ columns: [String]
) throws -> [Field: String] {
    try columns.reduce(into: [:]) { names, column in
        let parts = column.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let field = Field(rawValue: parts[0]) else {
            let fields = Field.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError(
                "invalid --column \"\(column)\": expected FIELD=NAME, where FIELD is one of \(fields)"
            )
        }
        names[field] = parts[1]
    }
}

/// Throws the first fault of a command line.
package func refuse(_ faults: [(isFault: Bool, text: String)]) throws {
    if let fault = faults.first(where: \.isFault) { throw ValidationError(fault.text) }
}

extension String {
    package var commaParts: [String] {
        split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// Returns the two numbers around a separator.
    fileprivate func pair<Number: LosslessStringConvertible>(around separator: Character) -> (Number, Number)? {
        let numbers = split(separator: separator, omittingEmptySubsequences: false).map { Number(String($0)) }
        guard numbers.count == 2, let first = numbers[0], let second = numbers[1] else { return nil }
        return (first, second)
    }
}

package struct NameList: ExpressibleByArgument {
    package var names: [String]
    /// Names as variants and settings are written: without any spaces.
    package var compactNames: [String] { names.map { $0.filter { !$0.isWhitespace } } }

    package init?(argument: String) {
        names = argument.commaParts
        if names.isEmpty { return nil }
    }
}

package struct NumberList: ExpressibleByArgument {
    package var numbers: [UInt64]

    package init?(argument: String) {
        let parts = argument.commaParts.map { UInt64($0) }
        numbers = parts.compactMap(\.self)
        if numbers.isEmpty || numbers.count < parts.count { return nil }
    }
}

/// `25,60`: the median and the 95th percentile in ms.
package struct LatencyArgument: ExpressibleByArgument {
    package var p50: Double
    package var p95: Double

    package init?(argument: String) {
        guard let (p50, p95): (Double, Double) = argument.pair(around: ","), p50 > 0, p95 >= p50, p95.isFinite else {
            return nil
        }
        (self.p50, self.p95) = (p50, p95)
    }
}

/// The thermal state of the device from given seconds on: `0:fair,20:serious`.
package struct HeatArgument: ExpressibleByArgument, Sendable {
    package var steps: [(second: Double, state: ThermalState)]

    package init?(argument: String) {
        steps = []
        for part in argument.split(separator: ",") {
            let pair = part.split(separator: ":", maxSplits: 1)
            guard pair.count == 2, let second = Double(pair[0]), second >= 0,
                let state = ThermalState(rawValue: String(pair[1]))
            else { return nil }
            steps.append((second, state))
        }
        if steps.isEmpty { return nil }
    }

    package func state(at second: Double) -> ThermalState { steps.last { $0.second <= second }?.state ?? .nominal }
}

extension PercentileMethod: ExpressibleByArgument {}
extension DecisionRule: ExpressibleByArgument {}
extension ComputeUnit: ExpressibleByArgument {}
extension SampleCategory: ExpressibleByArgument {}
extension SampleOrientation: ExpressibleByArgument {}

extension ArgumentHelp {
    package static func value(_ value: String, _ text: String) -> ArgumentHelp {
        ArgumentHelp("\(text)", valueName: value)
    }
}

/// A part such as `2/7`, the second of seven.
extension Part: ExpressibleByArgument {
    /// Creates the part of a text such as `2/7`.
    public init?(argument: String) { self.init(argument) }
}
