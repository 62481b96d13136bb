/// Returns whether there is a number, no further from `expected` than `tolerance`.
package func isNear(_ found: Double?, _ expected: Double, within tolerance: Double) -> Bool {
    found.map { abs($0 - expected) <= tolerance } ?? false
}
