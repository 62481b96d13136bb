/// Finds what somebody probably meant.
package enum NearName {
    /// The name that takes the fewest edits to get from `name`; nil when the nearest is further off than a slip is.
    ///
    /// Half of the letters, but three at most: two letters that changed places are two edits. Case does not count; of
    /// equals the first in order is taken.
    package static func of(_ name: String, among names: [String]) -> String? {
        let wanted = Array(name.lowercased())
        let nearest = names.map { (name: $0, distance: Levenshtein.distance(wanted, Array($0.lowercased()))) }
            .min { $0.distance < $1.distance }
        guard let nearest, nearest.distance <= max(1, min(3, wanted.count / 2)) else { return nil }
        return nearest.name
    }

    /// `did you mean "threads"?`, or every name when none is near.
    package static func hint(for name: String, among names: [String]) -> String {
        if let near = of(name, among: names) { return "did you mean \"\(near)\"?" }
        return names.isEmpty ? "there are none" : "there are " + names.joined(separator: ", ")
    }
}
