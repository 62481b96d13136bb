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
        let parts = argument[equals...].dropFirst().split(separator: ",", omittingEmptySubsequences: false)
        dimensions = parts.compactMap { Int($0.filter { !$0.isWhitespace }) }
        guard dimensions.count == parts.count, dimensions.allSatisfy({ $0 > 0 }) else { return nil }
        input = String(argument[..<equals])
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
    var text: String { dimensions.isEmpty ? "one number" : dimensions.map(String.init).joined(separator: "×") }

    /// The most elements that an input may have: 1 GiB of f32.
    static let mostElements = 1 << 28

    /// Returns a shape for every input: the specified one, else the file's own, and for open sizes the usual ones.
    ///
    /// - Returns: as many, in the same order.
    /// - Throws: `HarnessError.configuration` for an unknown input, a shape that the file excludes, a missing rank,
    ///   and a type that cannot hold numbers.
    static func resolve(_ inputs: [NetworkTensor], _ options: [ShapeOption]) throws -> [InputShape] {
        func wrong(_ problem: String) -> HarnessError { .configuration(problem) }
        for option in options where !inputs.contains(where: { $0.name == option.input }) {
            let hint = NearName.hint(for: option.input, among: inputs.map(\.name))
            throw wrong("--shape names the input \"\(option.input)\": \(hint)")
        }
        if inputs.isEmpty { throw wrong("the model has no inputs") }
        return try inputs.map { tensor in
            let input = "the input \"\(tensor.name)\""
            guard tensor.element != nil else {
                throw wrong("\(input) takes texts, packed bits or any type: only numbers can be drawn at random")
            }
            let named = options.last { $0.input == tensor.name }?.dimensions
            guard let dimensions = named ?? tensor.dimensions.map(usual) else {
                throw wrong("\(input) has any shape: specify one with --shape '\(tensor.name)=1,3,224,224'")
            }
            let isOpen = tensor.dimensions?.contains(nil) ?? true
            let shape = InputShape(tensor: tensor, dimensions: dimensions, isAssumed: named == nil && isOpen)
            guard shape.fitsFile else {
                throw wrong("\(input) is \(tensor.shapeText) in the file, which \(shape.text) is not")
            }
            guard shape.isPossible else {
                throw wrong(
                    "\(input) would be \(shape.text); expected sizes from 1 on and at most \(mostElements) numbers"
                )
            }
            return shape
        }
    }

    /// Returns ones, but 224 pixels where a picture's height and width are open, and 128 steps of a sequence.
    private static func usual(_ dimensions: [Int?]) -> [Int] {
        let isPicture = dimensions.count == 4
        return dimensions.enumerated().map { index, size in size ?? (index == 0 ? 1 : isPicture ? 224 : 128) }
    }

    private var fitsFile: Bool {
        guard let own = tensor.dimensions else { return true }
        return own.count == dimensions.count && zip(own, dimensions).allSatisfy { $0 == nil || $0 == $1 }
    }

    private var isPossible: Bool {
        var count = 1
        return dimensions.allSatisfy { size in
            let (product, overflow) = count.multipliedReportingOverflow(by: size)
            count = product
            return !overflow && size > 0 && product <= Self.mostElements
        }
    }
}
