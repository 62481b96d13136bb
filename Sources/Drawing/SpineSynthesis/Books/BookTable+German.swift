extension BookTable {
    static let german = """
        Die Verwandlung | Franz Kafka
        Der Prozess | Franz Kafka
        Das Schloss | Franz Kafka
        Der Zauberberg | Thomas Mann
        Buddenbrooks: Verfall einer Familie | Thomas Mann
        Der Tod in Venedig | Thomas Mann
        Der Untertan | Heinrich Mann
        Mephisto | Klaus Mann
        Die Blechtrommel | Günter Grass
        Katz und Maus | Günter Grass
        Im Krebsgang | Günter Grass
        Der Steppenwolf | Hermann Hesse
        Siddhartha | Hermann Hesse
        Narziß und Goldmund | Hermann Hesse
        Das Glasperlenspiel | Hermann Hesse
        Im Westen nichts Neues | Erich Maria Remarque
        Ansichten eines Clowns | Heinrich Böll
        Die verlorene Ehre der Katharina Blum oder: Wie Gewalt entstehen und wohin sie führen kann | Heinrich Böll
        Die unendliche Geschichte | Michael Ende
        Momo | Michael Ende
        Jim Knopf und Lukas der Lokomotivführer | Michael Ende
        Das siebte Kreuz | Anna Seghers
        Berlin Alexanderplatz | Alfred Döblin
        Der Mann ohne Eigenschaften | Robert Musil
        Die Verwirrungen des Zöglings Törleß | Robert Musil
        Radetzkymarsch | Joseph Roth
        Schachnovelle | Stefan Zweig
        Sternstunden der Menschheit | Stefan Zweig
        Faust. Der Tragödie erster Teil | Johann Wolfgang von Goethe | Goethe
        Die Leiden des jungen Werther | Johann Wolfgang von Goethe | Goethe
        Die Räuber | Friedrich Schiller
        Wilhelm Tell | Friedrich Schiller
        Nathan der Weise | Gotthold Ephraim Lessing
        Michael Kohlhaas | Heinrich von Kleist | Kleist
        Woyzeck | Georg Büchner
        Der Sandmann | E. T. A. Hoffmann
        Effi Briest | Theodor Fontane
        Irrungen, Wirrungen | Theodor Fontane
        Der Schimmelreiter | Theodor Storm
        Kleider machen Leute | Gottfried Keller
        Deutschland. Ein Wintermärchen | Heinrich Heine
        Also sprach Zarathustra | Friedrich Nietzsche
        Kritik der reinen Vernunft | Immanuel Kant
        Das Kapital | Karl Marx
        Die Traumdeutung | Sigmund Freud
        Die protestantische Ethik und der Geist des Kapitalismus | Max Weber
        Die Dreigroschenoper | Bertolt Brecht
        Mutter Courage und ihre Kinder | Bertolt Brecht
        Der Besuch der alten Dame | Friedrich Dürrenmatt
        Die Physiker | Friedrich Dürrenmatt
        Homo faber | Max Frisch
        Biedermann und die Brandstifter | Max Frisch
        Die Klavierspielerin | Elfriede Jelinek
        Die Angst des Tormanns beim Elfmeter | Peter Handke
        Malina | Ingeborg Bachmann
        Kindheitsmuster | Christa Wolf
        Jakob der Lügner | Jurek Becker
        Jeder stirbt für sich allein | Hans Fallada
        Kleiner Mann – was nun? | Hans Fallada
        Das Parfum: Die Geschichte eines Mörders | Patrick Süskind
        Der Vorleser | Bernhard Schlink
        Die Vermessung der Welt | Daniel Kehlmann
        Tschick | Wolfgang Herrndorf
        Atemschaukel | Herta Müller
        Er ist wieder da | Timur Vermes
        Der Schwarm | Frank Schätzing
        1913: Der Sommer des Jahrhunderts | Florian Illies
        Der Hundertjährige, der aus dem Fenster stieg und verschwand | Jonas Jonasson
        Die 13½ Leben des Käpt'n Blaubär | Walter Moers
        Emil und die Detektive | Erich Kästner
        Das doppelte Lottchen | Erich Kästner
        Der Räuber Hotzenplotz | Otfried Preußler
        Krabat | Otfried Preußler
        Tintenherz | Cornelia Funke | | Tintenwelt | 1
        Tintenblut | Cornelia Funke | | Tintenwelt | 2
        Tintentod | Cornelia Funke | | Tintenwelt | 3
        Harry Potter und der Stein der Weisen | J. K. Rowling | | Harry Potter | 1
        """
}
