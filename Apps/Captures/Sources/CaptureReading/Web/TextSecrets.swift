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
        // Regular expressions are slow, and most texts have no secrets.
        let folded = text.lowercased()
        let places = Self.signs.contains(where: folded.contains) ? Self.places(in: text) : []
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

    /// Signs of which a text with a secret has at least one, in lower case.
    private static let signs = [
        "://", "sip", "mt:", "fido:", "lpa:", "wifi:", "eyj", "gh", "glpat-", "xox", "sk-", "akia", "pass", "kennwort",
        "pwd",
        "pw", "psk", "secret", "token", "signature", "key", "pin", "otp", "sig", "auth", "jwt", "session", ";p:",
        "code", "contrase", "wachtwoord", "senha", "parola",
        "пароль", "密码", "パスワード",
    ]

    private static func places(in text: String) -> [Range<String.Index>] {
        var places: [Range<String.Index>] = []
        func add<Output>(_ pattern: Regex<Output>, _ part: (Regex<Output>.Match) -> [Substring?]) {
            for match in text.matches(of: pattern) {
                places += part(match).compactMap { $0.map { $0.startIndex..<$0.endIndex } }
            }
        }
        // User and password before a host; a name alone may be a token, but for schemes in which it names an account.
        add(/(?i)\b([a-z][a-z0-9+.\-]*):\/\/([^\s\/?#:@]*:)?([^\s\/?#]*)@/) { match in
            match.2 == nil && ["ssh", "git+ssh", "sftp", "ftp", "smb", "rtsp"].contains(match.1.lowercased())
                ? [] : [match.3]
        }
        // A password with a slash or a hash that is not encoded; a port is none.
        add(/:\/\/[^\s\/?#:@\[]+:(?![0-9]{1,5}[\/?#])([^\s@]*)@/) { [$0.1] }
        add(/(?i)\bsips?:[^\s:@]*:([^\s@;?]*)@/) { [$0.1] }
        // Contents that are keys as a whole.
        add(/(?i)(?:^|[^a-z0-9+.\-])(?:otpauth-migration|ssr?|vmess|x-hm):\/\/(\S+)/) { [$0.1] }
        add(/(?i)(?:^\s*MT:|FIDO:\/|LPA:1\$[^$\s]*\$)(\S+)/) { [$0.1] }
        add(/(?:^|[^A-Za-z0-9])MT:([A-Z0-9.\-]{12,})/) { [$0.1] }
        add(/\beyJ[\w\-]{8,}\.[\w\-]{8,}\.[\w\-]*/) { [$0.0] }
        add(/\b(?:gh[opsru]_|github_pat_|glpat-|xox[abeprs]-|sk-|AKIA)[\w\-]{10,}/) { [$0.0] }
        add(/-----BEGIN [A-Z ]*PRIVATE KEY-----([\s\S]*?)(?:-----END|$)/) { [$0.1] }
        // Fields as in "WIFI:S:network;P:secret;;": a semicolon within one is escaped, or no field follows it.
        if text.contains(/(?i)\b(?:wifi|mecard):|^\s*[a-z]+:[\s\S]*;\s*$/) {
            let field =
                #/
                (?i) (?: ^ \s* [a-z]+: | \b (?: wifi | mecard ) : | ; ) \s* (?: P | PW | PWD | PASS | PASSWORD | PIN | PSK | KEY | SECRET | TOKEN ) :
                ( (?: \\[\s\S] | [^;\\] | ; (?! \s*; | \s*$ | \s* [a-z0-9]{1,9}: ) )* )
                /#
            add(field) { [$0.1] }
        }
        add(Self.named) { [$0.1, $0.2, $0.3] }
        add(Self.spoken) { [$0.1, $0.2, $0.3] }
        return places
    }

    /// Pattern of a name for secrets and its value: a parameter of an address, a line of a configuration, a member of
    /// JSON.
    private static var named: Regex<(Substring, Substring?, Substring?, Substring?)> {
        #/
        (?i) (?: ^ | [^a-z0-9] )
        (?: [a-z0-9_.\-]{0,40}
              (?: password | passwd | passphrase | passcode | passwort | kennwort | pwd | psk | secret | token | signature )
          | [a-z0-9_.\-]{0,40} (?: api | access | private | preshared | shared | encryption | auth | license ) [_\-]? key
          | key | pass | pw | pin | otp | sig | auth | jwt | session [_\-]? id )
        ["']? \s* [=:] \s*
        (?: "([^"]*)" | '([^']*)' | ([^\s"'&;\#<>]+) )
        /#
    }

    /// Pattern of a password in a sentence: "the password for guests is: x", "Das Passwort lautet x".
    ///
    /// Words that follow such a verb in other sentences are not passwords: "The password is required".
    private static var spoken: Regex<(Substring, Substring?, Substring?, Substring?)> {
        #/
        (?i) (?: ^ | [^a-z0-9] )
        (?: (?: (?: wi-?fi | wlan | access | door | entry ) [\ \-]? (?: code | key | pw ) | password s? | passwd | passphrase | passcode
            | passwort | kennwort | contrase\u{F1}a | mot\ de\ passe | wachtwoord | senha | parola | пароль | 密码 | パスワード )
            (?: [\ (] [^=:;,.!?\n"']{0,40}? )?
          | pin (?: [\ \-]? code )? | pwd ) \s*
        (?: (?: \b (?: is | was | are | ist | lautet | est | es | \u{E9} | \u{E8} ) \b | [は是] ) \s* [=:]? | [=:\u{FF1A}\u{2192}] ) \s*
        (?! // | (?: required | needed | too | not | no | wrong | invalid | incorrect | correct | expired | weak | strong | the | a | an
              | in | on | at | your | my | same | changed | reset | case | now | being | nicht | falsch | erforderlich ) (?: [\s.,!?;] | $ ) )
        (?: "([^"]+)" | '([^']+)' | ([^\s"'&;\#<>]+) )
        /#
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
