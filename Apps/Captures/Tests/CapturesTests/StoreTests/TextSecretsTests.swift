import Testing

@testable import CaptureReading

/// Secrets in contents of codes and in addresses, by the sources that `TextSecrets` names.
@Suite struct TextSecretsTests {
    @Test(arguments: [
        // WIFI: in any order of fields, escaped, quoted, with no end, and with an unescaped semicolon.
        ("WIFI:T:WPA;S:Lighthouse;P:secret-1234;;", "WIFI:T:WPA;S:Lighthouse;P:[redacted];;"),
        (#"WIFI:P:a\;b\:c;S:net;T:WPA;;"#, "WIFI:P:[redacted];S:net;T:WPA;;"),
        (#"WIFI:S:net;P:"pa;ss";H:true;;"#, "WIFI:S:net;P:[redacted];H:true;;"),
        ("WIFI:S:net;T:WPA;P:secret", "WIFI:S:net;T:WPA;P:[redacted]"),
        ("wifi:s:net;p:pw;;", "wifi:s:net;p:[redacted];;"),
        ("WIFI:S:net;P:a;b;c;T:WPA;;", "WIFI:S:net;P:[redacted];T:WPA;;"),
        (#"WIFI:T:WPA;S:Cafe;P:pass\\;;"#, "WIFI:T:WPA;S:Cafe;P:[redacted];;"),
        (#"WIFI:S:a\;P:x;P:real;;"#, #"WIFI:S:a\;P:[redacted];P:[redacted];;"#),
        ("MECARD:N:Doe;PASSWORD:hunter2;TEL:1;;", "MECARD:N:Doe;PASSWORD:[redacted];TEL:1;;"),
        (#"MECARD:TOKEN:ab\;c;N:Doe;;"#, "MECARD:TOKEN:[redacted];N:Doe;;"),
        // Keys of one-time passwords, of SIM cards and of devices.
        (
            "otpauth://totp/Example:alice?secret=JBSWY3DPEHPK3PXP&issuer=Example",
            "otpauth://totp/Example:alice?secret=[redacted]&issuer=Example"
        ),
        ("otpauth://hotp/x?issuer=Y&counter=1&SECRET=ABCD", "otpauth://hotp/x?issuer=Y&counter=1&SECRET=[redacted]"),
        ("otpauth-migration://offline?data=CjEKCkhlbGxv", "otpauth-migration://[redacted]"),
        ("LPA:1$smdp.example$ABC-123", "LPA:1$smdp.example$[redacted]"),
        ("MT:Y.K9042C00KA0648G00", "MT:[redacted]"),
        // Addresses.
        ("https://user:pass@example.org/x", "https://user:[redacted]@example.org/x"),
        ("https://user:p/w#x@example.org/", "https://user:[redacted]@example.org/"),
        ("https://a:b@c@example.org/", "https://a:[redacted]@example.org/"),
        ("See ftp://bob:pw@example.org.", "See ftp://bob:[redacted]@example.org."),
        ("https://ghp_abcdefghijk@example.org/x", "https://[redacted]@example.org/x"),
        ("sip:bob:pw@example.org", "sip:bob:[redacted]@example.org"),
        (
            "https://example.org/a?access_token=abc&x=1#id_token=q",
            "https://example.org/a?access_token=[redacted]&x=1#id_token=[redacted]"
        ),
        // Configurations and notes.
        (#"{"ssid":"net","password":"top secret"}"#, #"{"ssid":"net","password":"[redacted]"}"#),
        (
            "[Interface]\nPrivateKey = abcdef=\nAddress = 10.0.0.1",
            "[Interface]\nPrivateKey = [redacted]\nAddress = 10.0.0.1"
        ),
        ("Password: hunter2", "Password: [redacted]"),
        // Within other texts.
        ("Join us! WIFI:T:WPA;S:x;P:secret;;", "Join us! WIFI:T:WPA;S:x;P:[redacted];;"),
        ("Guests: WIFI:S:net;P:abc 1;; See you", "Guests: WIFI:S:net;P:[redacted];; See you"),
        ("My card is MECARD:N:Doe;PASSWORD:hunter2;;", "My card is MECARD:N:Doe;PASSWORD:[redacted];;"),
        ("Scan otpauth-migration://offline?data=CjEK now", "Scan otpauth-migration://[redacted] now"),
        ("eSIM: LPA:1$smdp.example$ABC-123", "eSIM: LPA:1$smdp.example$[redacted]"),
        ("The lamp: MT:Y.K9042C00KA0648G00", "The lamp: MT:[redacted]"),
        ("The password is: x", "The password is: [redacted]"),
        ("the wifi password is hunter2", "the wifi password is [redacted]"),
        ("Password for guests: hunter2", "Password for guests: [redacted]"),
        ("Das Passwort lautet geheim7", "Das Passwort lautet [redacted]"),
        ("Le mot de passe est soleil", "Le mot de passe est [redacted]"),
        ("Your PIN is 4711.", "Your PIN is [redacted]"),
        ("Wi-Fi code: 12345678", "Wi-Fi code: [redacted]"),
        (#"Password = "two words""#, #"Password = "[redacted]""#),
        ("eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.abc", "[redacted]"),
    ])
    func secretsAreRedacted(text: String, redacted: String) {
        #expect(TextSecrets(in: text).redacted == redacted)
        #expect(!TextSecrets(in: text).secrets.isEmpty)
    }

    @Test(arguments: [
        "", "Müller & Söhne", "https://example.org/books/été", "https://example.org/monkey?q=1",
        "https://medium.com/@user",
        "https://example.org:8080/@user", "https://[::1]/x@y", "ssh://git@example.org/x", "mailto:a@b.c",
        "BEGIN:VCARD\nFN:Key West\nEND:VCARD", "MECARD:N:Token;TEL:123;;", "WIFI:T:nopass;S:Guest;;",
        "SIGNATURE SERIES",
        "urn:isbn:9780261102217", "The pin and the key are in the drawer.",
        "A password is required.", "The password is not correct", "Passwords are too weak: a study",
        "Reset your password at https://example.org/reset", "The Secret Garden", "Pin the tail on the donkey",
    ])
    func otherTextsStay(text: String) {
        #expect(TextSecrets(in: text).redacted == text)
        #expect(TextSecrets(in: text).secrets.isEmpty)
    }

    @Test func aSecretIsKnownAsItIsWrittenAndAsItIsRead() {
        #expect(TextSecrets(in: #"WIFI:P:a\;b\:c;S:net;;"#).secrets == ["a;b:c", #"a\;b\:c"#])
        #expect(TextSecrets(in: #"WIFI:S:net;P:"pa;ss";;"#).secrets == [#""pa;ss""#, "pa;ss"])
        #expect(TextSecrets(in: "https://user:p%40ss@example.org").secrets == ["p%40ss", "p@ss"])
    }
}
