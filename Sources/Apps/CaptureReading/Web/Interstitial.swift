/// Pages that replace the requested one: a challenge, a question for consent, an error.
package enum Interstitial {
    /// Bytes of the longest text of such a page; a longer one with such a phrase describes them.
    static let mostBytes = 4_000

    /// Returns whether a page is one, by its title and its readable text.
    package static func isOne(title: String?, text: String?) -> Bool {
        let (title, text) = (folded(title ?? ""), text ?? "")
        guard text.utf8.count <= mostBytes, title.utf8.count <= mostBytes else { return false }
        let page = folded(text)
        return phrases.contains { title.contains($0) || page.contains($0) }
    }

    /// Returns whether a title is that of such a page: a phrase of theirs begins it, or is half of it.
    package static func isTitle(_ title: String) -> Bool {
        guard title.utf8.count <= mostBytes else { return false }
        let title = folded(title)
        return phrases.contains { phrase in
            title.hasPrefix(phrase) || title.utf8.count <= 2 * phrase.utf8.count && title.contains(phrase)
        }
    }

    private static func folded(_ text: String) -> String { text.lowercased().replacing("’", with: "'") }

    /// Phrases of such pages, in small letters, by language.
    private static let phrases: [String] = [
        // English
        "verify you are human", "verify you are a human", "verify that you are human", "verify that you are a human",
        "verifying you are human", "verify you are not a robot", "verify that you are not a robot",
        "you're not a robot",
        "confirm you are human", "confirm you are not a robot", "confirm that you are not a robot", "are you a robot",
        "i'm not a robot", "unusual traffic from your computer", "unusual activity from your", "checking your browser",
        "checking if the site connection is secure", "just a moment...", "just a moment…", "attention required! |",
        "enable javascript and cookies", "please enable javascript", "please enable cookies", "complete the captcha",
        "solve the captcha", "complete the security check", "ddos protection by", "before you continue to google",
        "before you continue to youtube", "before you continue to yahoo", "we value your privacy",
        "we use cookies and data to", "accept cookies to continue", "access denied",
        "access to this page has been denied", "you don't have permission to access", "403 forbidden", "404 not found",
        "page not found", "page could not be found", "page you requested could not be found",
        "the page you are looking for", "the page you're looking for", "this page isn't available",
        "this content isn't available", "video unavailable", "500 internal server error", "internal server error",
        "502 bad gateway", "503 service unavailable", "504 gateway", "service temporarily unavailable",
        "something went wrong. try", "something went wrong, please", "too many requests", "sign in to continue",
        "log in to continue", "down for maintenance",
        // German
        "dass sie ein mensch sind", "dass du ein mensch bist", "dass sie kein roboter sind",
        "dass du kein roboter bist", "ich bin kein roboter", "bevor sie zu google weitergehen",
        "bevor sie zu youtube weitergehen", "ungewöhnlichen datenverkehr", "zugriff verweigert",
        "seite nicht gefunden", "seite wurde nicht gefunden", "seite konnte nicht gefunden werden",
        "wir schätzen ihre privatsphäre", "einen moment, bitte", "nur einen moment", "melden sie sich an, um",
        "vorübergehend nicht erreichbar",
        // French
        "que vous êtes humain", "que vous êtes un humain", "vous n'êtes pas un robot", "je ne suis pas un robot",
        "avant d'accéder à google", "avant d'accéder à youtube", "trafic exceptionnel", "accès refusé",
        "accès interdit", "page introuvable", "page non trouvée", "nous respectons votre vie privée",
        "service indisponible",
        // Spanish
        "verifica que eres humano", "verifique que es humano", "verifica que eres un ser humano",
        "que no eres un robot",
        "no soy un robot",
        "antes de continuar a google", "antes de ir a google", "antes de ir a youtube", "tráfico inusual",
        "acceso denegado", "página no encontrada", "valoramos tu privacidad",
        // Italian
        "verifica che sei umano", "verifica di essere umano", "di non essere un robot", "non sono un robot",
        "prima di continuare su google", "prima di continuare su youtube", "traffico insolito", "accesso negato",
        "pagina non trovata", "rispettiamo la tua privacy",
        // Portuguese
        "verifique se você é humano", "verifique que é humano", "que você não é um robô", "não sou um robô",
        "antes de continuar para",
        "tráfego incomum", "acesso negado", "página não encontrada", "valorizamos sua privacidade",
        // Dutch
        "dat je een mens bent", "dat u een mens bent", "dat je geen robot bent", "ik ben geen robot",
        "voordat je verdergaat", "toegang geweigerd", "pagina niet gevonden", "uw privacy is belangrijk",
        // Polish and Czech
        "że jesteś człowiekiem", "że nie jesteś robotem", "nie jestem robotem", "odmowa dostępu",
        "nie znaleziono strony", "strona nie została znaleziona", "że jste člověk", "nejsem robot",
        "stránka nenalezena", "přístup odepřen",
        // Swedish and Danish
        "att du är en människa", "jag är inte en robot", "sidan kunde inte hittas", "sidan hittades inte",
        "åtkomst nekad", "at du er et menneske", "jeg er ikke en robot", "siden blev ikke fundet", "adgang nægtet",
        // Turkish
        "insan olduğunuzu doğrula", "ben robot değilim", "sayfa bulunamadı", "erişim engellendi",
        // Russian and Ukrainian
        "подтвердите, что вы человек", "что вы не робот", "я не робот", "страница не найдена", "доступ запрещен",
        "доступ запрещён", "доступ ограничен", "підтвердьте, що ви людина", "сторінку не знайдено",
        // Japanese
        "人間であることを確認", "ロボットではありません", "ページが見つかりません", "アクセスが拒否されました",
        // Chinese
        "验证您是真人", "确认您是真人", "您是否是真人", "我不是机器人", "页面不存在", "找不到页面", "访问被拒绝", "請驗證您是真人",
        "我不是機器人", "找不到網頁", "存取遭拒",
        // Korean
        "사람인지 확인", "로봇이 아닙니다", "페이지를 찾을 수 없습니다", "액세스가 거부되었습니다",
    ]
}
