extension BookTable {
    static let french = """
        L'Étranger | Albert Camus
        La Peste | Albert Camus
        Le Mythe de Sisyphe | Albert Camus
        Les Misérables | Victor Hugo
        Notre-Dame de Paris | Victor Hugo
        Le Dernier Jour d'un condamné | Victor Hugo
        À la recherche du temps perdu | Marcel Proust
        Du côté de chez Swann | Marcel Proust | | À la recherche du temps perdu | 1
        À l'ombre des jeunes filles en fleurs | Marcel Proust | | À la recherche du temps perdu | 2
        Bonjour tristesse | Françoise Sagan
        Aimez-vous Brahms.. | Françoise Sagan
        Le Deuxième Sexe | Simone de Beauvoir
        Mémoires d'une jeune fille rangée | Simone de Beauvoir
        Thérèse Raquin | Émile Zola
        La Fortune des Rougon | Émile Zola | | Les Rougon-Macquart | 1
        L'Assommoir | Émile Zola | | Les Rougon-Macquart | 7
        Nana | Émile Zola | | Les Rougon-Macquart | 9
        Germinal | Émile Zola | | Les Rougon-Macquart | 13
        Vingt mille lieues sous les mers | Jules Verne
        Le Tour du monde en quatre-vingts jours | Jules Verne
        L'Écume des jours | Boris Vian
        Madame Bovary | Gustave Flaubert
        L'Éducation sentimentale | Gustave Flaubert
        Le Rouge et le Noir | Stendhal
        La Chartreuse de Parme | Stendhal
        Le Père Goriot | Honoré de Balzac | Balzac
        Illusions perdues | Honoré de Balzac | Balzac
        Les Trois Mousquetaires | Alexandre Dumas
        Le Comte de Monte-Cristo | Alexandre Dumas
        Bel-Ami | Guy de Maupassant | Maupassant
        Le Horla | Guy de Maupassant | Maupassant
        Les Fleurs du mal | Charles Baudelaire
        Une saison en enfer | Arthur Rimbaud
        Alcools | Guillaume Apollinaire
        Paroles | Jacques Prévert
        Candide ou l'Optimisme | Voltaire
        Les Liaisons dangereuses | Pierre Choderlos de Laclos | Laclos
        La Princesse de Clèves | Madame de La Fayette | Madame de La Fayette
        Le Misanthrope | Molière
        Le Malade imaginaire | Molière
        Phèdre | Jean Racine
        Cyrano de Bergerac | Edmond Rostand
        Le Petit Prince | Antoine de Saint-Exupéry | Saint-Exupéry
        Vol de nuit | Antoine de Saint-Exupéry | Saint-Exupéry
        Voyage au bout de la nuit | Louis-Ferdinand Céline
        La Nausée | Jean-Paul Sartre
        Huis clos | Jean-Paul Sartre
        L'Amant | Marguerite Duras
        Un barrage contre le Pacifique | Marguerite Duras
        Mémoires d'Hadrien | Marguerite Yourcenar
        La Vie devant soi | Romain Gary
        La Vie mode d'emploi | Georges Perec
        Exercices de style | Raymond Queneau
        Zazie dans le métro | Raymond Queneau
        Le Grand Meaulnes | Alain-Fournier
        Thérèse Desqueyroux | François Mauriac
        Le Chien jaune | Georges Simenon
        L'Élégance du hérisson | Muriel Barbery
        Stupeur et tremblements | Amélie Nothomb
        Les Particules élémentaires | Michel Houellebecq
        Les Années | Annie Ernaux
        Suite française | Irène Némirovsky
        Pars vite et reviens tard | Fred Vargas
        Au revoir là-haut | Pierre Lemaitre
        HHhH | Laurent Binet
        99 francs | Frédéric Beigbeder
        L'Extraordinaire Voyage du fakir qui était resté coincé dans une armoire Ikea | Romain Puértolas
        Je voudrais que quelqu'un m'attende quelque part | Anna Gavalda
        La Vérité sur l'affaire Harry Quebert | Joël Dicker
        Astérix le Gaulois | René Goscinny & Albert Uderzo | | Astérix | 1
        Tristes Tropiques | Claude Lévi-Strauss
        """
}
