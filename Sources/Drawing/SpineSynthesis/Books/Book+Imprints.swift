extension Book {
    /// Publishers' names that nobody publishes under, so that no picture claims an edition that does not exist.
    package static func imprints(in language: Language) -> [String] {
        switch language {
        case .english:
            [
                "Tallow House", "Quillford", "Northwick", "Alder & Finch", "Penhallow Press", "Greywater", "Osmere",
                "Hobb & Larkspur", "Wrenfield Books", "The Marrow Press", "Tithebarn", "Castellan Classics",
            ]
        case .french:
            [
                "Éditions du Guet", "La Lampe Verte", "Quai Neuf", "Brévannes", "Les Éditions du Héron",
                "Maubray & Fils",
                "L'Encre Bleue du Nord", "Vaucelles", "Le Sentier Creux", "Éditions Torvaz",
            ]
        case .german:
            [
                "Erlenbach Verlag", "Steinkauz", "Bücher am Wehr", "Hollerfeld", "Verlag Nachtgrün", "Königsau & Söhne",
                "Mühlwiese", "Edition Straßbecker", "Drei Dohlen", "Ahrenholt",
            ]
        case .spanish:
            [
                "Ediciones Alcorí", "Tres Veredas", "La Noria Honda", "Editorial Peñamora", "Cuatro Tejas", "Valdorrío",
                "El Búho Zurdo", "Casa Lumbrera", "Ediciones Ñandar", "Brezal",
            ]
        case .italian:
            [
                "Edizioni Calvaro", "La Rondine Nera", "Tre Cipressi", "Bellosguado", "Libri dell'Argine", "Mezzaluce",
                "Fratelli Tornabò", "Il Pozzo Chiaro", "Casa Editrice Verzuno", "Quercialta",
            ]
        case .portuguese:
            [
                "Edições Murtal", "A Gralha", "Três Caravelas", "Porta do Açude", "Livros do Vagão", "Serralvão",
                "Editora Cajuína Azul", "Casa do Sobral", "Maré Longa", "Pão & Tinta",
            ]
        case .polish:
            [
                "Wydawnictwo Żurawno", "Trzy Gęsi", "Oficyna Łęgowa", "Książki znad Brdy", "Jarzębnik", "Dom Pod Sową",
                "Świerkowiec", "Wydawnictwo Głuszec", "Kamienny Młyn", "Ćmielnik",
            ]
        case .swedish:
            [
                "Björkhamra", "Förlaget Gråsten", "Tre Tärnor", "Älvsjöhus", "Norrvinge", "Läsörn",
                "Bokförlaget Ekskär",
                "Åmyra", "Vinterlunda", "Holm & Rönnskog",
            ]
        case .norwegian:
            [
                "Forlaget Bekkasin", "Ørnvåg", "Tre Alker", "Måsefjell", "Nordlykt & Sønn", "Sjøbua", "Løvåsen Forlag",
                "Steinskvetten", "Høstblad", "Gråvær",
            ]
        }
    }
}
