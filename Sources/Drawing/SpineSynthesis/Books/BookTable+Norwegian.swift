extension BookTable {
    static let norwegian = """
        Sult | Knut Hamsun
        Pan | Knut Hamsun
        Victoria | Knut Hamsun
        Markens grøde | Knut Hamsun
        Et dukkehjem | Henrik Ibsen
        Peer Gynt | Henrik Ibsen
        Hedda Gabler | Henrik Ibsen
        Gengangere | Henrik Ibsen
        Vildanden | Henrik Ibsen
        En folkefiende | Henrik Ibsen
        Kransen | Sigrid Undset | | Kristin Lavransdatter | 1
        Husfrue | Sigrid Undset | | Kristin Lavransdatter | 2
        Jenny | Sigrid Undset
        Is-slottet | Tarjei Vesaas
        Fuglane | Tarjei Vesaas
        Sofies verden | Jostein Gaarder
        Kabalmysteriet | Jostein Gaarder
        Appelsinpiken | Jostein Gaarder
        Naiv. Super. | Erlend Loe
        Doppler | Erlend Loe
        Ut og stjæle hester | Per Petterson
        Halvbroren | Lars Saabye Christensen | Saabye Christensen
        Beatles | Lars Saabye Christensen | Saabye Christensen
        Flaggermusmannen | Jo Nesbø | | Harry Hole | 1
        Rødstrupe | Jo Nesbø | | Harry Hole | 3
        Snømannen | Jo Nesbø | | Harry Hole | 7
        Hodejegerne | Jo Nesbø
        Doktor Proktors prompepulver | Jo Nesbø
        Bienes historie | Maja Lunde
        Dinas bok | Herbjørg Wassmo
        En av oss | Åsne Seierstad
        Bokhandleren i Kabul | Åsne Seierstad
        """
}
