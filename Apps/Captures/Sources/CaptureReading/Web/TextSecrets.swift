import Basics
import Foundation

/// Secrets in a text, as contents of codes and addresses have them: passwords, keys and tokens.
///
/// Sources: RFC 3986, section 3.2.1 (user information); the key URI format of Google Authenticator; ZXing's "Barcode
/// Contents" (`WIFI:` and `MECARD:`); GSMA SGP.22, section 4.1 (`LPA:`); RFC 7519 (tokens). Unmarked secrets, such as
/// a password alone, are not found.
package struct TextSecrets: Sendable, Equatable {
    /// The text with ``mark`` in place of each secret.
    package let redacted: String
    /// The secrets, as they are written and as they are read: without escapes, quotes and percent signs.
    package let secrets: [String]

    /// Replacement for a secret.
    package static let mark = "[redacted]"

    package init(in text: String) {
        let places = Self.places(in: text)
        var redacted = ""
        var end = text.startIndex
        var secrets: Set<String> = []
        for place in places.filter({ !$0.isEmpty }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            secrets.formUnion(Self.readings(of: text[place]))
            guard place.upperBound > end else { continue }
            if place.lowerBound >= end { redacted += text[end..<place.lowerBound] + Self.mark }
            end = place.upperBound
        }
        self.redacted = redacted + text[end...]
        self.secrets = secrets.sorted()
    }

    private static func places(in text: String) -> [Range<String.Index>] {
        // Without zeros, which would end it for the C library.
        let folded = String(decoding: text.lowercased().utf8.map { $0 == 0 ? 32 : $0 }, as: UTF8.self)
        func has(_ sign: String) -> Bool { strstr(folded, sign) != nil }
        let whole = NSRange(text.startIndex..., in: text)
        return forms.filter { $0.signs.contains(where: has) }.flatMap { form -> [Range<String.Index>] in
            if let within = form.within, within.firstMatch(in: text, range: whole) == nil { return [] }
            return form.pattern.matches(in: text, range: whole).flatMap { match in
                (min(1, match.numberOfRanges - 1)..<match.numberOfRanges).compactMap {
                    Range(match.range(at: $0), in: text)
                }
            }
        }
    }

    /// Patterns of secrets with signs, of which a text has one where a pattern finds something.
    ///
    /// Searching for signs, which are in lower case, costs little. A pattern's groups are the secrets, or all of it where it
    /// has none.
    private static let forms: [Form] = [
        // User and password before a host; a name alone may be a token, but for schemes in which it names an account.
        form(
            "://",
            #"(?i)\b(?!(?:ssh|git\+ssh|s?ftp|smb|rtsp)://[^\s/?#:@]*@)[a-z][a-z0-9+.\-]*://(?:[^\s/?#:@]*:)?([^\s/?#]*)@"#
        ),
        // A password with a slash or a hash that is not encoded; a port is none.
        form("://", #"://[^\s/?#:@\[]+:(?![0-9]{1,5}[/?#])([^\s@]*)@"#),
        form("sip", #"(?i)\bsips?:[^\s:@]*:([^\s@;?]*)@"#),
        // Contents that are keys as a whole.
        form("://", #"(?i)(?:^|[^a-z0-9+.\-])(?:otpauth-migration|ssr?|vmess|x-hm)://(\S+)"#),
        form("mt: fido: lpa:", #"(?i)(?:^\s*MT:|FIDO:/|LPA:1\$[^$\s]*\$)(\S+)"#),
        form("mt:", #"(?:^|[^A-Za-z0-9])MT:([A-Z0-9.\-]{12,})"#),
        form("eyj", #"\beyJ[\w\-]{8,}\.[\w\-]{8,}\.[\w\-]*"#),
        form(
            "gho_ ghp_ ghs_ ghr_ ghu_ github_ glpat- xox sk- akia",
            #"\b(?:gh[opsru]_|github_pat_|glpat-|xox[abeprs]-|sk-|AKIA)[\w\-]{10,}"#
        ),
        form("-----begin", #"-----BEGIN [A-Z ]*PRIVATE KEY-----([\s\S]*?)(?:-----END|\z)"#),
        // Fields as in "WIFI:S:network;P:secret;;": a semicolon within one is escaped, or no field follows it.
        form(
            "wifi: mecard: ;",
            within: #"(?i)\b(?:wifi|mecard):|\A\s*[a-z]+:[\s\S]*;\s*\z"#,
            #"(?i)(?:^\s*[a-z]+:|\b(?:wifi|mecard):|;)\s*"#
                + #"(?:P|PW|PWD|PASS|PASSWORD|PIN|PSK|KEY|SECRET|TOKEN):((?:\\[\s\S]|[^;\\]|;(?!\s*;|\s*\z|\s*[a-z0-9]{1,9}:))*)"#
        ),
        // A name for secrets and its value: a parameter of an address, a line of a configuration, a member of JSON.
        form(
            names + " secret token signature otp sig auth jwt session",
            #"""
            (?ix) (?: ^ | [^a-z0-9] )
            (?: [a-z0-9_.\-]{0,40}
                  (?: password | passwd | passphrase | passcode | passwort | kennwort | pwd | psk | secret | token | signature )
              | [a-z0-9_.\-]{0,40} (?: api | access | private | preshared | shared | encryption | auth | license ) [_\-]? key
              | key | pass | pw | pin | otp | sig | auth | jwt | session [_\-]? id )
            ["']? \s* [=:] \s*
            (?: "([^"]*)" | '([^']*)' | ([^\s"'&;\x23<>]+) )
            """#
        ),
        // A password in a sentence: "the password for guests is: x", "Das Passwort lautet x". Words that follow such a verb
        // in other sentences are not passwords: "The password is required".
        form(
            names + " code contrase wachtwoord senha parola пароль 密码 パスワード",
            #"""
            (?ix) (?: ^ | [^a-z0-9] )
            (?: (?: (?: wi-?fi | wlan | access | door | entry ) [\ \-]? (?: code | key | pw ) | password s? | passwd | passphrase | passcode
                | passwort | kennwort | contrase\u00F1a | mot\ de\ passe | wachtwoord | senha | parola | пароль | 密码 | パスワード )
                (?: [\ (] [^=:;,.!?\n"']{0,40}? )?
              | pin (?: [\ \-]? code )? | pwd ) \s*
            (?: (?: \b (?: is | was | are | ist | lautet | est | es | \u00E9 | \u00E8 ) \b | [は是] ) \s* [=:]? | [=:\uFF1A\u2192] ) \s*
            (?! // | (?: required | needed | too | not | no | wrong | invalid | incorrect | correct | expired | weak | strong | the | a | an
                  | in | on | at | your | my | same | changed | reset | case | now | being | nicht | falsch | erforderlich ) (?: [\s.,!?;] | \z ) )
            (?: "([^"]+)" | '([^']+)' | ([^\s"'&;\x23<>]+) )
            """#
        ),
    ].compactMap(\.self)

    private static let names = "pass kennwort pwd pw psk key pin"

    private struct Form {
        var signs: [String]
        /// Pattern of texts in which the other one counts; nil for all.
        var within: NSRegularExpression?
        var pattern: NSRegularExpression
    }

    private static func form(_ signs: String, within: String? = nil, _ pattern: String) -> Form? {
        (try? NSRegularExpression(pattern: pattern)).map { made in
            Form(
                signs: signs.split(separator: " ").map(String.init),
                within: within.flatMap { try? NSRegularExpression(pattern: $0) },
                pattern: made
            )
        }
    }

    /// Returns a secret in its written and its decoded form.
    private static func readings(of written: Substring) -> [String] {
        let text = String(written)
        var plain = text.replacing(/\\([\s\S])/) { $0.1 }
        if plain.count > 1, plain.hasPrefix("\""), plain.hasSuffix("\"") {
            plain = String(plain.dropFirst().dropLast())
        }
        return [text, plain, text.removingPercentEncoding ?? text]
    }
}

/// Texts that a narrative must not contain, such as the home's address.
package struct Redactor: Sendable {
    private var secrets: [(words: [String], joined: String)] = []

    package init(_ texts: [String]) {
        secrets = texts.map { Self.words(of: $0) }.map { ($0, $0.joined()) }.filter { $0.1.count > 3 }
    }

    /// Returns whether a text contains any of them.
    ///
    /// Spaces, hyphens and joined words are ignored, and so is the order with at most two other words between them,
    /// as in "14 Herrengasse" and "Herrengasse Nr. 14". Another spelling of it, in letters of another alphabet that
    /// look alike for instance, is another text.
    package func isSaid(in text: String) -> Bool {
        guard !secrets.isEmpty else { return false }
        let words = Self.words(of: text)
        let joined = words.joined()
        return secrets.contains { secret in
            if joined.contains(secret.joined) { return true }
            let width = secret.words.count + 2
            guard secret.words.count > 1, Set(secret.words).isSubset(of: words) else { return false }
            return words.indices.contains { start in
                Set(secret.words).isSubset(of: words[start..<min(words.count, start + width)])
            }
        }
    }

    private static func words(of text: String) -> [String] {
        FoldedText.words(of: text.precomposedStringWithCompatibilityMapping)
    }
}
