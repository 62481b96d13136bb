extension StringProtocol {
    /// Whether there is anything to look up: a letter or a number, by Unicode's general categories L and N, as the
    /// description of the API says it.
    var hasLetterOrNumber: Bool {
        unicodeScalars.contains { scalar in
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
                .letterNumber, .otherNumber:
                true
            default: false
            }
        }
    }
}
