import Documents
package import Harness

extension CacheFill {
    /// "Before anything was measured, …"; nil when nothing is compiled.
    package static func sentence(_ fills: [CacheFill]) -> String? {
        guard !fills.isEmpty else { return nil }
        let parts = fills.map { fill in
            let names = fill.measurements.joined(separator: ", ")
            let span = NumberText.span(seconds: fill.milliseconds / 1_000)
            return switch fill.added {
            case nil: "\(names) loaded in \(span), and nothing can be kept"
            case 0: "\(names) found all of its networks (\(fill.before ?? 0) were kept) and loaded in \(span)"
            case let added?: "\(names) compiled \(NumberText.count(added, "network")) in \(span)"
            }
        }
        return "Before anything was measured, a process of each filled the cache of compiled networks: "
            + parts.joined(separator: "; ") + "."
    }
}
