public import ArgumentParser
public import Basics
public import Evaluation
import Foundation
public import Harness
public import ScanningPolicies
public import SpineDatasets

// Values of options, as command lines write them.

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

extension PercentileMethod: ExpressibleByArgument {}
extension DecisionRule: ExpressibleByArgument {}
extension ComputeUnit: ExpressibleByArgument {}
extension ScanStrategy: ExpressibleByArgument {}
extension ThermalPolicy: ExpressibleByArgument {}
extension SampleCategory: ExpressibleByArgument {}
extension SampleOrientation: ExpressibleByArgument {}

/// A part such as `2/7`, the second of seven.
extension Part: ExpressibleByArgument {
    /// Creates the part of a text such as `2/7`.
    public init?(argument: String) { self.init(argument) }
}
