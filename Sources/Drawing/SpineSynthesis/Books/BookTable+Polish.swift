extension BookTable {
    static let polish = """
        Pan Tadeusz | Adam Mickiewicz
        Dziady | Adam Mickiewicz
        Balladyna | Juliusz Słowacki
        Zemsta | Aleksander Fredro
        Lalka | Bolesław Prus
        Faraon | Bolesław Prus
        Quo vadis | Henryk Sienkiewicz
        Potop | Henryk Sienkiewicz
        Ogniem i mieczem | Henryk Sienkiewicz
        Krzyżacy | Henryk Sienkiewicz
        W pustyni i w puszczy | Henryk Sienkiewicz
        Nad Niemnem | Eliza Orzeszkowa
        Chłopi | Władysław Reymont
        Ziemia obiecana | Władysław Reymont
        Ludzie bezdomni | Stefan Żeromski
        Przedwiośnie | Stefan Żeromski
        Wesele | Stanisław Wyspiański
        Sklepy cynamonowe | Bruno Schulz
        Ferdydurke | Witold Gombrowicz
        Trans-Atlantyk | Witold Gombrowicz
        Granica | Zofia Nałkowska
        Popiół i diament | Jerzy Andrzejewski
        Zniewolony umysł | Czesław Miłosz
        Dolina Issy | Czesław Miłosz
        Solaris | Stanisław Lem
        Cyberiada | Stanisław Lem
        Pamiętnik znaleziony w wannie | Stanisław Lem
        Bajki robotów | Stanisław Lem
        Kamienie na szaniec | Aleksander Kamiński
        Inny świat | Gustaw Herling-Grudziński
        Zły | Leopold Tyrmand
        Cesarz | Ryszard Kapuściński
        Heban | Ryszard Kapuściński
        Podróże z Herodotem | Ryszard Kapuściński
        Zdążyć przed Panem Bogiem | Hanna Krall
        Tango | Sławomir Mrożek
        Akademia pana Kleksa | Jan Brzechwa
        Ostatnie życzenie | Andrzej Sapkowski
        Miecz przeznaczenia | Andrzej Sapkowski
        Krew elfów | Andrzej Sapkowski
        Bieguni | Olga Tokarczuk
        Prawiek i inne czasy | Olga Tokarczuk
        Prowadź swój pług przez kości umarłych | Olga Tokarczuk
        Księgi Jakubowe | Olga Tokarczuk
        """
}
