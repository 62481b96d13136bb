import Basics
import CaptureReading
import Foundation

/// Addresses in texts and in shortcuts of desktops.
extension CaptureIntake {
    /// Addresses of one text that become items.
    static let mostLinks = 100

    /// Returns the addresses of the web in a text, each once, in their order.
    ///
    /// An address ends at a space, a quotation mark, an angle bracket or a bracket that was opened before it; the punctuation
    /// of its sentence does not belong to it (RFC 3986, appendix C; GitHub Flavored Markdown 0.29, 6.9).
    /// `completes`: whether one may begin with any host of a known domain, not only with a scheme or "www.".
    static func addresses(in text: String, completes: Bool = false) -> [String] {
        let characters = Array(text)
        var (found, seen): ([String], Set<String>) = ([], [])
        var index = 0
        while index < characters.count {
            let before = index > 0 ? characters[index - 1] : " "
            let head = characters[index].isWord ? String(characters[index...].prefix(8)).lowercased() : ""
            let isWhole = ["http://", "https://"].contains(where: head.hasPrefix)
            let isHost = !"@.-_/".contains(before) && (head.hasPrefix("www.") || completes && !head.isEmpty)
            guard !before.isWord, isWhole || isHost else {
                index += 1
                continue
            }
            let end = end(of: characters, from: index)
            if let url = webAddress(String(characters[index..<end])), seen.insert(url).inserted { found.append(url) }
            index = max(end, index + 1)
        }
        return found
    }

    /// Returns the end of the address that begins at `start`.
    private static func end(of characters: [Character], from start: Int) -> Int {
        let opener = start > 0 ? characters[start - 1] : " "
        var open: [Character] = []
        var end = start
        scan: while end < characters.count {
            let character = characters[end]
            switch character {
            case "(", "[", "{": open.append(character)
            case ")", "]", "}":
                guard let last = open.popLast(), "()[]{}".contains("\(last)\(character)") else { break scan }
            case "<", ">", "\"", "`", "\\": break scan
            case "'" where opener == "'": break scan
            default: if character.isWhitespace || character.isForeignPunctuation { break scan }
            }
            end += 1
        }
        while end > start, ".,;:!?*_~'".contains(characters[end - 1]) { end -= 1 }
        return end
    }
}

extension Character {
    /// Whether it may be in a word before an address: "请看https://…" has none.
    fileprivate var isWord: Bool { isASCII && (isLetter || isNumber) }

    /// Whether it is a quotation mark, a bracket or a stop of another script, which addresses have encoded.
    fileprivate var isForeignPunctuation: Bool {
        guard !isASCII, let category = unicodeScalars.first?.properties.generalCategory else { return false }
        return [.openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation]
            .contains(category)
    }
}

// MARK: - Shortcuts

extension CaptureIntake {
    /// Returns the address of a shortcut: of Windows (`[InternetShortcut]`), of Linux desktops (`[Desktop Entry]` of the type
    /// Link), or of macOS (a property list with `URL`); nil for any other file.
    ///
    /// Sources: Desktop Entry Specification 1.5 (KDE adds `[$e]`); Windows writes an address in UTF-7 below
    /// `[InternetShortcut.W]` where its code page lacks a letter.
    /// - Throws: `CaptureError` for a shortcut without an address of the web.
    static func shortcut(_ bytes: [UInt8], name: String) throws(CaptureError) -> String? {
        guard bytes.count < 65_536 else { return nil }
        let text = String(validating: bytes, as: UTF8.self) ?? String(bytes: bytes, encoding: .windowsCP1252) ?? ""
        let candidates: [String?]
        if bytes.starts(with: Array("bplist00".utf8)) || text.contains("<plist") {
            let list = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String: Any]
            guard let address = list?["URL"] as? String else { return nil }
            candidates = [address]
        } else {
            let lines = text.split(whereSeparator: \.isNewline).map { String($0).trimmingSpace }
            func value(_ section: String, _ key: String) -> String? {
                let own = lines.drop { $0.lowercased() != section }.dropFirst().prefix { !$0.hasPrefix("[") }
                let line = own.first { line in
                    let name = line.prefix { $0 != "=" }.lowercased().trimmingSpace
                    return line.contains("=") && (name == key || key.hasSuffix("[") && name.hasPrefix(key))
                }
                return line.map { String($0.drop { $0 != "=" }.dropFirst()).trimmingSpace }
            }
            if lines.contains(where: { $0.lowercased() == "[internetshortcut]" }) {
                let old = "[internetshortcut]"
                candidates = [value("[internetshortcut.w]", "url").flatMap(utf7), value(old, "url")]
            } else if value("[desktop entry]", "type")?.lowercased() == "link" {
                candidates = ["url", "url["].map { value("[desktop entry]", $0) }
            } else {
                return nil
            }
        }
        guard let address = candidates.lazy.compactMap({ $0.flatMap(webAddress) }).first else {
            throw CaptureError(name, "is a shortcut without a web address (http or https)")
        }
        return address
    }

    /// Returns a text that is in UTF-7 (RFC 2152); nil for any other.
    private static func utf7(_ text: String) -> String? {
        var isValid = true
        let whole = text.replacing(/\+([A-Za-z0-9\/]*)-?/) { match -> String in
            if match.1.isEmpty { return "+" }
            let padded = match.1 + String(repeating: "=", count: (4 - match.1.count % 4) % 4)
            let bytes = Data(base64Encoded: String(padded)).map { [UInt8]($0) } ?? []
            let units = stride(from: 0, to: bytes.count - 1, by: 2).map {
                UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
            }
            isValid = isValid && !units.isEmpty
            return String(decoding: units, as: UTF16.self)
        }
        return isValid ? whole : nil
    }
}
