import ArgumentParser
import SpineDatasets

/// How options of `dataset synth` are written.
enum SynthesisArguments {
    /// "30...300", or one number for both ends.
    ///
    /// - Parameter text: What the command line has.
    /// - Returns: The range.
    /// - Throws: `ValidationError` with what is wrong.
    static func range(_ text: String) throws -> ClosedRange<Int> {
        let ends = text.split(separator: "...", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...2).contains(ends.count), let lower = ends[0], let upper = ends[ends.count - 1] else {
            throw ValidationError("expected two whole numbers with three dots between, as in 30...300")
        }
        guard lower <= upper else { throw ValidationError("the range is reversed; \(upper)...\(lower) is meant") }
        return lower...upper
    }

    /// "vertical=60,inverted=60": how often each category comes, relative to the others.
    ///
    /// - Parameter text: What the command line has.
    /// - Returns: The shares of the categories that are named.
    /// - Throws: `ValidationError` with the part that is wrong.
    static func categories(_ text: String) throws -> [SampleCategory: Int] {
        var shares: [SampleCategory: Int] = [:]
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", omittingEmptySubsequences: false)
            guard let category = pair.first.flatMap({ SampleCategory(rawValue: String($0)) }) else {
                let known = SampleCategory.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("“\(pair.first ?? "")” is no category; there are \(known)")
            }
            guard pair.count == 2, let share = Int(pair[1]), share >= 0 else {
                throw ValidationError("“\(part)” has no whole number for its share; expected \(category.rawValue)=60")
            }
            guard shares.updateValue(share, forKey: category) == nil else {
                throw ValidationError("\(category.rawValue) is there twice")
            }
        }
        return shares
    }
}
