import ArgumentParser

/// Refuses a number of an option that is outside its range; nil is none.
func range<Number: Comparable>(_ option: String, _ value: Number?, _ range: ClosedRange<Number>) throws {
    guard let value, !range.contains(value) else { return }
    throw ValidationError("Invalid \(option) \(value): expected \(range.lowerBound) to \(range.upperBound).")
}
