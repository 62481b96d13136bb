/// How a back end is started for a variant.
struct BackEndOptions: Sendable, Hashable {
    /// A file; nil for the catalogue inside the program.
    var catalogue: String?
    /// A file; nil for none.
    var faults: String?
    var workers: Int
    var queue: Int
    /// Whether it speaks HTTPS, with a certificate that it makes for itself.
    var tls: Bool

    /// The program's arguments, but for what only concerns where it runs.
    var arguments: [String] {
        ["serve", "--rate-limit", "off", "--workers", "\(workers)", "--queue", "\(queue)", "--log-level", "notice"]
            + (catalogue.map { ["--catalogue", $0] } ?? []) + (faults.map { ["--faults", $0] } ?? [])
    }
}
