extension BookTable {
    static let italian = """
        La Divina Commedia | Dante Alighieri
        Decameron | Giovanni Boccaccio
        Il Principe | Niccolò Machiavelli
        Orlando furioso | Ludovico Ariosto
        I promessi sposi | Alessandro Manzoni
        Canti | Giacomo Leopardi
        Le avventure di Pinocchio | Carlo Collodi
        Cuore | Edmondo De Amicis
        I Malavoglia | Giovanni Verga
        Mastro-don Gesualdo | Giovanni Verga
        Il piacere | Gabriele D'Annunzio
        La coscienza di Zeno | Italo Svevo
        Il fu Mattia Pascal | Luigi Pirandello
        Uno, nessuno e centomila | Luigi Pirandello
        Sei personaggi in cerca d'autore | Luigi Pirandello
        Canne al vento | Grazia Deledda
        Ossi di seppia | Eugenio Montale
        Il deserto dei Tartari | Dino Buzzati
        Gli indifferenti | Alberto Moravia
        La noia | Alberto Moravia
        Cristo si è fermato a Eboli | Carlo Levi
        Se questo è un uomo | Primo Levi
        La tregua | Primo Levi
        Il sistema periodico | Primo Levi
        La luna e i falò | Cesare Pavese
        Il Gattopardo | Giuseppe Tomasi di Lampedusa | Tomasi di Lampedusa
        Quer pasticciaccio brutto de via Merulana | Carlo Emilio Gadda
        Lessico famigliare | Natalia Ginzburg
        La Storia | Elsa Morante
        L'isola di Arturo | Elsa Morante
        Il giardino dei Finzi-Contini | Giorgio Bassani
        Il partigiano Johnny | Beppe Fenoglio
        Ragazzi di vita | Pier Paolo Pasolini
        Il giorno della civetta | Leonardo Sciascia
        Il barone rampante | Italo Calvino
        Il visconte dimezzato | Italo Calvino
        Le città invisibili | Italo Calvino
        Se una notte d'inverno un viaggiatore | Italo Calvino
        Il nome della rosa | Umberto Eco
        Il pendolo di Foucault | Umberto Eco
        Favole al telefono | Gianni Rodari
        Morte accidentale di un anarchico | Dario Fo
        Novecento | Alessandro Baricco
        Seta | Alessandro Baricco
        Io non ho paura | Niccolò Ammaniti
        Gomorra | Roberto Saviano
        Va' dove ti porta il cuore | Susanna Tamaro
        La solitudine dei numeri primi | Paolo Giordano
        Le otto montagne | Paolo Cognetti
        La forma dell'acqua | Andrea Camilleri
        Il cane di terracotta | Andrea Camilleri
        Il ladro di merendine | Andrea Camilleri
        L'amica geniale | Elena Ferrante | | L'amica geniale | 1
        Storia del nuovo cognome | Elena Ferrante | | L'amica geniale | 2
        Storia di chi fugge e di chi resta | Elena Ferrante | | L'amica geniale | 3
        Storia della bambina perduta | Elena Ferrante | | L'amica geniale | 4
        Sostiene Pereira | Antonio Tabucchi
        Sette brevi lezioni di fisica | Carlo Rovelli
        La scienza in cucina e l'arte di mangiar bene | Pellegrino Artusi
        """
}
