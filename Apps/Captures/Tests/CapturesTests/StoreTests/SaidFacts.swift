@testable import Captures

extension CapturedItem {
    /// What one source said of it.
    var said: Facts {
        get { answers[.link] ?? Facts() }
        set {
            answers.removeAll { $0.source == .link }
            answer(.link, newValue)
        }
    }
}
