/// Error between the reader and OpenVINO.
public enum OpenVINOError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A model file cannot be read.
    case modelUnreadable(path: String, reason: String)
    /// A model file was read but is not the network that it should be.
    case modelUnsuitable(path: String, expected: String, found: String)
    /// A detector canvas was asked for that the network cannot take.
    case canvasUnsuitable([Int])
    /// The processor does not compute in the precision asked for.
    case precisionUnknown(InferencePrecision, known: [InferencePrecision])
    /// A file that somebody named as a model is none that can be run.
    case fileUnusable(path: String, reason: String)
    /// A call into OpenVINO failed: `status` is its `ov_status_e`, `message` its own words.
    case callFailed(operation: String, status: Int32, message: String)

    /// Message: what is wrong, where, and what to do about it.
    public var description: String {
        switch self {
        case .modelUnreadable(let path, let reason):
            "cannot read the model \(path): \(reason); run 'make setup' to fetch it"
        case .modelUnsuitable(let path, let expected, let found):
            "the model \(path) is not usable: expected \(expected), found \(found); run 'make setup' to fetch it again"
        case .canvasUnsuitable(let sides):
            "a detector canvas has a width and a height that are multiples of 32, not \(sides)"
        case .precisionUnknown(let precision, let known):
            "this processor does not compute in \(precision.rawValue), only in "
                + known.map(\.rawValue).joined(separator: ", ")
        case .fileUnusable(let path, let reason): "\(path) \(reason)"
        case .callFailed(let operation, let status, let message):
            "OpenVINO failed to \(operation) (status \(status)): \(message)"
        }
    }
}
