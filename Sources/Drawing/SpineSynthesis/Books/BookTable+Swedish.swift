extension BookTable {
    static let swedish = """
        Pippi Långstrump | Astrid Lindgren
        Bröderna Lejonhjärta | Astrid Lindgren
        Ronja rövardotter | Astrid Lindgren
        Mio, min Mio | Astrid Lindgren
        Emil i Lönneberga | Astrid Lindgren
        Alla vi barn i Bullerbyn | Astrid Lindgren
        Nils Holgerssons underbara resa genom Sverige | Selma Lagerlöf
        Gösta Berlings saga | Selma Lagerlöf
        Kejsarn av Portugallien | Selma Lagerlöf
        Röda rummet | August Strindberg
        Fröken Julie | August Strindberg
        Hemsöborna | August Strindberg
        Doktor Glas | Hjalmar Söderberg
        Den allvarsamma leken | Hjalmar Söderberg
        Barabbas | Pär Lagerkvist
        Dvärgen | Pär Lagerkvist
        Utvandrarna | Vilhelm Moberg
        Invandrarna | Vilhelm Moberg
        Aniara | Harry Martinson
        Nässlorna blomma | Harry Martinson
        Kallocain | Karin Boye
        Röde Orm | Frans G. Bengtsson
        Gentlemen | Klas Östergren
        Trollvinter | Tove Jansson
        Trollkarlens hatt | Tove Jansson
        Sommarboken | Tove Jansson
        Mördare utan ansikte | Henning Mankell
        Hundarna i Riga | Henning Mankell
        Roseanna | Maj Sjöwall & Per Wahlöö | | Roman om ett brott | 1
        Den skrattande polisen | Maj Sjöwall & Per Wahlöö | | Roman om ett brott | 4
        Män som hatar kvinnor | Stieg Larsson | | Millennium | 1
        Flickan som lekte med elden | Stieg Larsson | | Millennium | 2
        Luftslottet som sprängdes | Stieg Larsson | | Millennium | 3
        Låt den rätte komma in | John Ajvide Lindqvist | Ajvide Lindqvist
        Hundraåringen som klev ut genom fönstret och försvann | Jonas Jonasson
        En man som heter Ove | Fredrik Backman
        Isprinsessan | Camilla Läckberg
        Snabba cash | Jens Lapidus
        1793 | Niklas Natt och Dag | Natt och Dag
        Populärmusik från Vittula | Mikael Niemi
        Händelser vid vatten | Kerstin Ekman
        """
}
