package import ArgumentParser

extension ArgumentHelp {
    /// Returns the help of an option, with the placeholder of its value.
    package static func value(_ value: String, _ text: String) -> ArgumentHelp {
        ArgumentHelp("\(text)", valueName: value)
    }
}
