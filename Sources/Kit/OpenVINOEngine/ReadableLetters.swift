/// Scripts and languages that a recogniser's characters cover.
///
/// A letter without a class of its own is read as a similar one or, mostly, not at all, and the network is as sure of
/// the others as ever: a reading does not show it.
package struct ReadableLetters: Sendable {
    private let characters: Set<String>

    package init(_ characters: [String]) { self.characters = Set(characters) }

    package var count: Int { characters.subtracting([""]).count }

    /// Names of the covered scripts, with "in part" if some of the usual letters are missing.
    package var scripts: [String] {
        Self.scripts.filter { !missingScripts.contains($0.name) }.map { name, letters in
            lacking(letters).isEmpty ? name : "\(name) in part"
        }
    }

    /// Names of the scripts without any letter.
    package var missingScripts: [String] {
        Self.scripts.filter { lacking($0.letters).count == $0.letters.count }.map(\.name)
    }

    /// Languages in Latin letters with missing letters, and these.
    package var incompleteLanguages: [(name: String, letters: [String])] {
        Self.languages.compactMap { name, small in
            let letters = small + (name == "German" ? "" : small.uppercased())
            let lacking = lacking(letters)
            return lacking.isEmpty ? nil : (name, lacking)
        }
    }

    private func lacking(_ letters: String) -> [String] {
        letters.map(String.init).filter { !characters.contains($0) }
    }

    /// Some letters of each script that every text of some length has.
    private static let scripts: [(name: String, letters: String)] = [
        ("Latin", "aenrstAENRST"), ("Greek", "αεινοςάίό"), ("Cyrillic", "аеинотжщя"), ("Chinese", "的是書书国國"),
        ("Japanese", "のにはをアンスル"), ("Korean", "한국의이다"), ("Hebrew", "אבוילש"), ("Arabic", "المني"),
        ("Devanagari", "कनरसह"), ("Thai", "กนรอา"),
    ]

    /// Small letters beyond a–z, and signs of tone as whole letters.
    ///
    /// Source: CLDR 48, main exemplar characters; of Sanskrit, ISO 15919 and IAST; of Arabic in Latin letters, DIN
    /// 31635.
    private static let languages: [(name: String, letters: String)] = [
        ("Albanian", "çë"), ("Arabic (romanised)", "āīūḍḏġḥḫṣšṭṯẓžʾʿ"), ("Azerbaijani", "çəğıöşü"),
        ("Catalan", "àçéèíïóòúü"),
        ("Croatian", "čćđšž"), ("Czech", "áčďéěíňóřšťúůýž"), ("Danish and Norwegian", "æøå"), ("Dutch", "éëïöü"),
        ("Esperanto", "ĉĝĥĵŝŭ"), ("Estonian", "äõöüšž"), ("Finnish and Swedish", "äåö"), ("French", "àâæçéèêëîïôœùûüÿ"),
        ("German", "äöüß"), ("Hausa", "ɓɗƙƴ"), ("Hungarian", "áéíóöőúüű"), ("Icelandic", "áæðéíóöþúý"),
        ("Igbo", "ịṅọụ"), ("Irish", "áéíóú"), ("Italian", "àéèìóòù"), ("Latvian", "āčēģīķļņšūž"),
        ("Lithuanian", "ąčęėįšųūž"), ("Maltese", "ċġħżàèìòù"), ("Polish", "ąćęłńóśźż"), ("Portuguese", "áàâãçéêíóôõú"),
        ("Romanian", "ăâîșț"), ("Sanskrit (romanised)", "āīūṛṝḷṃḥṅñṭḍṇśṣ"), ("Slovak", "áäčďéíĺľňóôŕšťúýž"),
        ("Spanish", "áéíñóúü"),
        ("Turkish", "çğıöşü"),
        ("Vietnamese", "àảãáạăằẳẵắặâầẩẫấậđèẻẽéẹêềểễếệìỉĩíịòỏõóọôồổỗốộơờởỡớợùủũúụưừửữứựỳỷỹýỵ"),
        ("Welsh", "àáâäèéêëìíîïòóôöùúûüẁẃŵẅỳýŷÿ"), ("Yoruba", "àáèéẹìíòóọṣùúńǹ"),
    ]
}
