package import ArgumentParser

extension ArgumentHelp {
    /// Help of an option, with what stands for its value.
    package static func value(_ value: String, _ text: String) -> ArgumentHelp {
        ArgumentHelp("\(text)", valueName: value)
    }
}
