/// Purpose of a capture.
package enum Intent: String, Sendable, Codable, CaseIterable {
    case shopping = "Shopping"
    case researching = "Researching"
    case reading = "Reading"
    case broadcasting = "Broadcasting"
    case travelling = "Travelling"
    case dining = "Dining"
    case coding = "Coding"
    case listening = "Listening"
}
