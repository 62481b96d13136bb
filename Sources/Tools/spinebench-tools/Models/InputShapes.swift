import ArgumentParser
import Basics
import Harness
import OpenVINOEngine

/// Shape that the user names for an input: `x=1,3,96,640`.
struct ShapeOption: ExpressibleByArgument, Equatable, Codable, Sendable {
    var input: String
    var dimensions: [Int]

    init?(argument: String) {
        // Names may hold an equals sign; numbers do not.
        guard let equals = argument.lastIndex(of: "="), equals != argument.startIndex else { return nil }
        let parts = argument[argument.index(after: equals)...].split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int($0.filter { !$0.isWhitespace }) }
        guard numbers.count == parts.count, numbers.allSatisfy({ $0 > 0 }) else { return nil }
        input = String(argument[..<equals])
        dimensions = numbers
    }
}

/// The shape that an input is measured with.
struct InputShape: Sendable, Equatable, Codable {
    /// Tensor of the file.
    var tensor: NetworkTensor
    var dimensions: [Int]
    /// Whether a size was specified neither by the file nor by the user.
    var isAssumed: Bool

    /// "1×3×224×224".
    var text: String {
        dimensions.isEmpty ? "one number" : dimensions.map(String.init).joined(separator: "×")
    }

    /// The most elements that an input may have: 1 GiB of f32.
    static let mostElements = 1 << 28

    /// Returns a shape for every input: the specified one, else the file's own, and for open sizes the usual ones.
    ///
    /// - Returns: as many, in the same order.
    /// - Throws: `HarnessError.configuration` for an unknown input, a shape that the file excludes, a missing rank,
    ///   and a type that cannot hold numbers.
    static func resolve(_ inputs: [NetworkTensor], _ options: [ShapeOption]) throws -> [InputShape] {
        for option in options where !inputs.contains(where: { $0.name == option.input }) {
            throw HarnessError.configuration(
                "--shape names the input \"\(option.input)\": "
                    + NearName.hint(for: option.input, among: inputs.map(\.name))
            )
        }
        guard !inputs.isEmpty else {
            throw HarnessError.configuration("the model has no inputs")
        }
        return try inputs.map { input in
            guard input.element != nil else {
                throw HarnessError.configuration(
                    "the input \"\(input.name)\" takes texts, packed bits or any type: only numbers can be drawn at random"
                )
            }
            let named = options.last { $0.input == input.name }?.dimensions
            let dimensions = try named ?? usual(input)
            try check(dimensions, of: input)
            let isOpen = input.dimensions?.contains(nil) ?? true
            return InputShape(tensor: input, dimensions: dimensions, isAssumed: named == nil && isOpen)
        }
    }

    /// Returns ones, but 224 pixels where a picture's height and width are open, and 128 steps of a sequence.
    private static func usual(_ input: NetworkTensor) throws -> [Int] {
        guard let dimensions = input.dimensions else {
            throw HarnessError.configuration(
                "the input \"\(input.name)\" has any shape: specify one with --shape '\(input.name)=1,3,224,224'"
            )
        }
        let isPicture = dimensions.count == 4
        return dimensions.enumerated().map { index, size in size ?? (index == 0 ? 1 : isPicture ? 224 : 128) }
    }

    private static func check(_ dimensions: [Int], of input: NetworkTensor) throws {
        let text = dimensions.map(String.init).joined(separator: "×")
        if let own = input.dimensions {
            let fits = own.count == dimensions.count && zip(own, dimensions).allSatisfy { $0 == nil || $0 == $1 }
            guard fits else {
                throw HarnessError.configuration(
                    "the input \"\(input.name)\" is \(input.shapeText) in the file, which \(text) is not"
                )
            }
        }
        var count = 1
        for size in dimensions {
            let (product, overflow) = count.multipliedReportingOverflow(by: size)
            guard !overflow, size > 0, product <= mostElements else {
                throw HarnessError.configuration(
                    "the input \"\(input.name)\" would be \(text); expected sizes from 1 on and at most \(mostElements) numbers"
                )
            }
            count = product
        }
    }
}
