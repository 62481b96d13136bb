extension BookTable {
    static let spanish = """
        El ingenioso hidalgo don Quijote de la Mancha | Miguel de Cervantes Saavedra | Cervantes
        Novelas ejemplares | Miguel de Cervantes Saavedra | Cervantes
        La Celestina | Fernando de Rojas | Rojas
        Fuenteovejuna | Lope de Vega | Lope de Vega
        La vida es sueño | Pedro Calderón de la Barca | Calderón de la Barca
        Don Juan Tenorio | José Zorrilla
        Rimas y leyendas | Gustavo Adolfo Bécquer
        La Regenta | Leopoldo Alas «Clarín» | Clarín
        Fortunata y Jacinta | Benito Pérez Galdós | Pérez Galdós
        Marianela | Benito Pérez Galdós | Pérez Galdós
        Niebla | Miguel de Unamuno | Unamuno
        San Manuel Bueno, mártir | Miguel de Unamuno | Unamuno
        El árbol de la ciencia | Pío Baroja
        Luces de bohemia | Ramón del Valle-Inclán | Valle-Inclán
        Campos de Castilla | Antonio Machado
        Platero y yo | Juan Ramón Jiménez
        Bodas de sangre | Federico García Lorca | García Lorca
        La casa de Bernarda Alba | Federico García Lorca | García Lorca
        Poeta en Nueva York | Federico García Lorca | García Lorca
        Veinte poemas de amor y una canción desesperada | Pablo Neruda
        Confieso que he vivido | Pablo Neruda
        Trilce | César Vallejo
        La familia de Pascual Duarte | Camilo José Cela
        La colmena | Camilo José Cela
        Nada | Carmen Laforet
        El Jarama | Rafael Sánchez Ferlosio | Sánchez Ferlosio
        Los santos inocentes | Miguel Delibes
        Cinco horas con Mario | Miguel Delibes
        Tiempo de silencio | Luis Martín-Santos
        Corazón tan blanco | Javier Marías
        Soldados de Salamina | Javier Cercas
        La plaza del Diamante | Mercè Rodoreda
        El capitán Alatriste | Arturo Pérez-Reverte | | Las aventuras del capitán Alatriste | 1
        Limpieza de sangre | Arturo Pérez-Reverte | | Las aventuras del capitán Alatriste | 2
        La tabla de Flandes | Arturo Pérez-Reverte
        La sombra del viento | Carlos Ruiz Zafón | Ruiz Zafón | El Cementerio de los Libros Olvidados | 1
        El juego del ángel | Carlos Ruiz Zafón | Ruiz Zafón | El Cementerio de los Libros Olvidados | 2
        El prisionero del cielo | Carlos Ruiz Zafón | Ruiz Zafón | El Cementerio de los Libros Olvidados | 3
        La catedral del mar | Ildefonso Falcones
        Patria | Fernando Aramburu
        Rayuela | Julio Cortázar
        Historias de cronopios y de famas | Julio Cortázar
        Cien años de soledad | Gabriel García Márquez | García Márquez
        El amor en los tiempos del cólera | Gabriel García Márquez | García Márquez
        Crónica de una muerte anunciada | Gabriel García Márquez | García Márquez
        La increíble y triste historia de la cándida Eréndira y de su abuela desalmada | Gabriel García Márquez \
        | García Márquez
        Pedro Páramo | Juan Rulfo
        El llano en llamas | Juan Rulfo
        Ficciones | Jorge Luis Borges
        El Aleph | Jorge Luis Borges
        La invención de Morel | Adolfo Bioy Casares | Bioy Casares
        El túnel | Ernesto Sabato
        Sobre héroes y tumbas | Ernesto Sabato
        El beso de la mujer araña | Manuel Puig
        La ciudad y los perros | Mario Vargas Llosa | Vargas Llosa
        Conversación en La Catedral | Mario Vargas Llosa | Vargas Llosa
        La fiesta del Chivo | Mario Vargas Llosa | Vargas Llosa
        La muerte de Artemio Cruz | Carlos Fuentes
        El laberinto de la soledad | Octavio Paz
        Como agua para chocolate | Laura Esquivel
        La casa de los espíritus | Isabel Allende
        Los detectives salvajes | Roberto Bolaño
        El siglo de las luces | Alejo Carpentier
        Martín Fierro | José Hernández
        Tres tristes tigres | Guillermo Cabrera Infante | Cabrera Infante
        Doña Bárbara | Rómulo Gallegos
        """
}
