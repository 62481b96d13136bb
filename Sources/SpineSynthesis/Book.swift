/// A published book, as far as its spine tells.
package struct Book: Sendable, Hashable, Codable {
    /// ISO 639-1 code of the edition's language.
    package enum Language: String, Sendable, Codable {
        case english = "en"
        case french = "fr"
        case german = "de"
        case spanish = "es"
    }

    package var title: String
    /// As on a title page: "Gabriel García Márquez".
    package var author: String
    /// What a spine that names the author briefly says: "García Márquez".
    package var surname: String
    package var language: Language

    package init(_ title: String, _ author: String, _ surname: String, _ language: Language = .english) {
        self.title = title
        self.author = author
        self.surname = surname
        self.language = language
    }
}

extension Book {
    /// Real books, chosen for varied lengths, letters, numerals and punctuation.
    package static let all: [Book] = english + french + german + spanish

    /// Publishers' names that nobody publishes under, so that no picture claims an edition that does not exist.
    package static func imprints(in language: Language) -> [String] {
        switch language {
        case .english: ["Tallow House", "Quillford", "Northwick", "Alder & Finch", "Penhallow Press", "Greywater"]
        case .french: ["Éditions du Guet", "La Lampe Verte", "Quai Neuf"]
        case .german: ["Erlenbach Verlag", "Steinkauz", "Bücher am Wehr"]
        case .spanish: ["Ediciones Alcorí", "Tres Veredas", "La Noria"]
        }
    }

    private static let english: [Book] = [
        Book("Pride and Prejudice", "Jane Austen", "Austen"),
        Book("Persuasion", "Jane Austen", "Austen"),
        Book("1984", "George Orwell", "Orwell"),
        Book("Animal Farm", "George Orwell", "Orwell"),
        Book("Brave New World", "Aldous Huxley", "Huxley"),
        Book("Fahrenheit 451", "Ray Bradbury", "Bradbury"),
        Book("Slaughterhouse-Five", "Kurt Vonnegut", "Vonnegut"),
        Book("Catch-22", "Joseph Heller", "Heller"),
        Book("To Kill a Mockingbird", "Harper Lee", "Lee"),
        Book("The Great Gatsby", "F. Scott Fitzgerald", "Fitzgerald"),
        Book("Moby-Dick", "Herman Melville", "Melville"),
        Book("Wuthering Heights", "Emily Brontë", "Brontë"),
        Book("Jane Eyre", "Charlotte Brontë", "Brontë"),
        Book("Dracula", "Bram Stoker", "Stoker"),
        Book("Frankenstein", "Mary Shelley", "Shelley"),
        Book("The Left Hand of Darkness", "Ursula K. Le Guin", "Le Guin"),
        Book("A Wizard of Earthsea", "Ursula K. Le Guin", "Le Guin"),
        Book("Dune", "Frank Herbert", "Herbert"),
        Book("Neuromancer", "William Gibson", "Gibson"),
        Book("Foundation", "Isaac Asimov", "Asimov"),
        Book("Rendezvous with Rama", "Arthur C. Clarke", "Clarke"),
        Book("Do Androids Dream of Electric Sheep?", "Philip K. Dick", "Dick"),
        Book("The Hitchhiker's Guide to the Galaxy", "Douglas Adams", "Adams"),
        Book("Good Omens", "Terry Pratchett & Neil Gaiman", "Pratchett & Gaiman"),
        Book("Small Gods", "Terry Pratchett", "Pratchett"),
        Book("The Hobbit", "J. R. R. Tolkien", "Tolkien"),
        Book("The Name of the Rose", "Umberto Eco", "Eco"),
        Book("Invisible Cities", "Italo Calvino", "Calvino"),
        Book("One Hundred Years of Solitude", "Gabriel García Márquez", "García Márquez"),
        Book("Beloved", "Toni Morrison", "Morrison"),
        Book("Mrs Dalloway", "Virginia Woolf", "Woolf"),
        Book("To the Lighthouse", "Virginia Woolf", "Woolf"),
        Book("Ulysses", "James Joyce", "Joyce"),
        Book("Dubliners", "James Joyce", "Joyce"),
        Book("Things Fall Apart", "Chinua Achebe", "Achebe"),
        Book("Half of a Yellow Sun", "Chimamanda Ngozi Adichie", "Adichie"),
        Book("Midnight's Children", "Salman Rushdie", "Rushdie"),
        Book("The God of Small Things", "Arundhati Roy", "Roy"),
        Book("Norwegian Wood", "Haruki Murakami", "Murakami"),
        Book("Kafka on the Shore", "Haruki Murakami", "Murakami"),
        Book("The Remains of the Day", "Kazuo Ishiguro", "Ishiguro"),
        Book("Never Let Me Go", "Kazuo Ishiguro", "Ishiguro"),
        Book("Wolf Hall", "Hilary Mantel", "Mantel"),
        Book("The Handmaid's Tale", "Margaret Atwood", "Atwood"),
        Book("Oryx and Crake", "Margaret Atwood", "Atwood"),
        Book("Life of Pi", "Yann Martel", "Martel"),
        Book("Cloud Atlas", "David Mitchell", "Mitchell"),
        Book("White Teeth", "Zadie Smith", "Smith"),
        Book("Blood Meridian", "Cormac McCarthy", "McCarthy"),
        Book("The Road", "Cormac McCarthy", "McCarthy"),
        Book("East of Eden", "John Steinbeck", "Steinbeck"),
        Book("The Grapes of Wrath", "John Steinbeck", "Steinbeck"),
        Book("The Old Man and the Sea", "Ernest Hemingway", "Hemingway"),
        Book("And Then There Were None", "Agatha Christie", "Christie"),
        Book("The Big Sleep", "Raymond Chandler", "Chandler"),
        Book("The Talented Mr. Ripley", "Patricia Highsmith", "Highsmith"),
        Book("A Brief History of Time", "Stephen Hawking", "Hawking"),
        Book("The Selfish Gene", "Richard Dawkins", "Dawkins"),
        Book("Thinking, Fast and Slow", "Daniel Kahneman", "Kahneman"),
        Book("Gödel, Escher, Bach", "Douglas R. Hofstadter", "Hofstadter"),
        Book("Guns, Germs, and Steel", "Jared Diamond", "Diamond"),
        Book("In Cold Blood", "Truman Capote", "Capote"),
        Book("Zen and the Art of Motorcycle Maintenance", "Robert M. Pirsig", "Pirsig"),
        Book("2666", "Roberto Bolaño", "Bolaño"),
    ]

    private static let french: [Book] = [
        Book("L'Étranger", "Albert Camus", "Camus", .french),
        Book("La Peste", "Albert Camus", "Camus", .french),
        Book("Les Misérables", "Victor Hugo", "Hugo", .french),
        Book("Notre-Dame de Paris", "Victor Hugo", "Hugo", .french),
        Book("À la recherche du temps perdu", "Marcel Proust", "Proust", .french),
        Book("Bonjour tristesse", "Françoise Sagan", "Sagan", .french),
        Book("Le Deuxième Sexe", "Simone de Beauvoir", "de Beauvoir", .french),
        Book("Thérèse Raquin", "Émile Zola", "Zola", .french),
        Book("Vingt mille lieues sous les mers", "Jules Verne", "Verne", .french),
        Book("L'Écume des jours", "Boris Vian", "Vian", .french),
    ]

    private static let german: [Book] = [
        Book("Die Verwandlung", "Franz Kafka", "Kafka", .german),
        Book("Der Zauberberg", "Thomas Mann", "Mann", .german),
        Book("Die Blechtrommel", "Günter Grass", "Grass", .german),
        Book("Der Steppenwolf", "Hermann Hesse", "Hesse", .german),
        Book("Im Westen nichts Neues", "Erich Maria Remarque", "Remarque", .german),
        Book("Ansichten eines Clowns", "Heinrich Böll", "Böll", .german),
        Book("Die unendliche Geschichte", "Michael Ende", "Ende", .german),
        Book("Das siebte Kreuz", "Anna Seghers", "Seghers", .german),
        Book("Krebsgang", "Günter Grass", "Grass", .german),
    ]

    private static let spanish: [Book] = [
        Book("Rayuela", "Julio Cortázar", "Cortázar", .spanish),
        Book("Cien años de soledad", "Gabriel García Márquez", "García Márquez", .spanish),
        Book("La sombra del viento", "Carlos Ruiz Zafón", "Ruiz Zafón", .spanish),
        Book("Pedro Páramo", "Juan Rulfo", "Rulfo", .spanish),
        Book("El túnel", "Ernesto Sabato", "Sabato", .spanish),
        Book("La ciudad y los perros", "Mario Vargas Llosa", "Vargas Llosa", .spanish),
        Book("Como agua para chocolate", "Laura Esquivel", "Esquivel", .spanish),
        Book("Nada", "Carmen Laforet", "Laforet", .spanish),
    ]
}
