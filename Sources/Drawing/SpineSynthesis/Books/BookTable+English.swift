extension BookTable {
    static let english = """
        Pride and Prejudice | Jane Austen
        Persuasion | Jane Austen
        Emma | Jane Austen
        Sense and Sensibility | Jane Austen
        1984 | George Orwell
        Animal Farm | George Orwell
        Down and Out in Paris and London | George Orwell
        Brave New World | Aldous Huxley
        Fahrenheit 451 | Ray Bradbury
        Slaughterhouse-Five | Kurt Vonnegut
        Cat's Cradle | Kurt Vonnegut
        Catch-22 | Joseph Heller
        To Kill a Mockingbird | Harper Lee
        The Great Gatsby | F. Scott Fitzgerald
        Moby-Dick | Herman Melville
        Wuthering Heights | Emily Brontë
        Jane Eyre | Charlotte Brontë
        The Tenant of Wildfell Hall | Anne Brontë
        Middlemarch | George Eliot
        Great Expectations | Charles Dickens
        Bleak House | Charles Dickens
        Far from the Madding Crowd | Thomas Hardy
        Tess of the d'Urbervilles | Thomas Hardy
        Vanity Fair | William Makepeace Thackeray
        The Life and Opinions of Tristram Shandy, Gentleman | Laurence Sterne
        Gulliver's Travels | Jonathan Swift
        Robinson Crusoe | Daniel Defoe
        Kim | Rudyard Kipling
        Lord Jim | Joseph Conrad
        The Portrait of a Lady | Henry James
        The Picture of Dorian Gray | Oscar Wilde
        Three Men in a Boat (To Say Nothing of the Dog) | Jerome K. Jerome
        The Adventures of Huckleberry Finn | Mark Twain
        The Scarlet Letter | Nathaniel Hawthorne
        Walden | Henry David Thoreau
        Dracula | Bram Stoker
        Frankenstein | Mary Shelley
        Strange Case of Dr Jekyll and Mr Hyde | Robert Louis Stevenson
        Treasure Island | Robert Louis Stevenson
        The War of the Worlds | H. G. Wells
        A Passage to India | E. M. Forster
        Howards End | E. M. Forster
        Lady Chatterley's Lover | D. H. Lawrence
        Mrs Dalloway | Virginia Woolf
        To the Lighthouse | Virginia Woolf
        A Room of One's Own | Virginia Woolf
        Ulysses | James Joyce
        Dubliners | James Joyce
        A Portrait of the Artist as a Young Man | James Joyce
        I, Claudius | Robert Graves
        Brideshead Revisited | Evelyn Waugh
        Cold Comfort Farm | Stella Gibbons
        Rebecca | Daphne du Maurier
        Wide Sargasso Sea | Jean Rhys
        Lord of the Flies | William Golding
        The Prime of Miss Jean Brodie | Muriel Spark
        The Sea, the Sea | Iris Murdoch
        A Clockwork Orange | Anthony Burgess
        Lolita | Vladimir Nabokov
        Pale Fire | Vladimir Nabokov
        The Catcher in the Rye | J. D. Salinger
        Franny and Zooey | J. D. Salinger
        On the Road | Jack Kerouac
        One Flew Over the Cuckoo's Nest | Ken Kesey
        Absalom, Absalom! | William Faulkner
        The Sound and the Fury | William Faulkner
        East of Eden | John Steinbeck
        The Grapes of Wrath | John Steinbeck
        Of Mice and Men | John Steinbeck
        The Old Man and the Sea | Ernest Hemingway
        For Whom the Bell Tolls | Ernest Hemingway
        The Heart Is a Lonely Hunter | Carson McCullers
        Their Eyes Were Watching God | Zora Neale Hurston
        Go Tell It on the Mountain | James Baldwin
        Invisible Man | Ralph Ellison
        Beloved | Toni Morrison
        Stoner | John Williams
        V. | Thomas Pynchon
        Gravity's Rainbow | Thomas Pynchon
        The Crying of Lot 49 | Thomas Pynchon
        Infinite Jest | David Foster Wallace
        4 3 2 1 | Paul Auster
        10:04 | Ben Lerner
        A Heartbreaking Work of Staggering Genius | Dave Eggers
        Extremely Loud & Incredibly Close | Jonathan Safran Foer
        What We Talk About When We Talk About Love | Raymond Carver
        Blood Meridian | Cormac McCarthy
        The Road | Cormac McCarthy
        Things Fall Apart | Chinua Achebe
        Half of a Yellow Sun | Chimamanda Ngozi Adichie
        Midnight's Children | Salman Rushdie
        The God of Small Things | Arundhati Roy
        A Suitable Boy | Vikram Seth
        Q & A | Vikas Swarup
        Disgrace | J. M. Coetzee
        The English Patient | Michael Ondaatje
        Possession | A. S. Byatt
        Atonement | Ian McEwan
        The Remains of the Day | Kazuo Ishiguro
        Never Let Me Go | Kazuo Ishiguro
        Wolf Hall | Hilary Mantel
        Bring Up the Bodies | Hilary Mantel
        The Handmaid's Tale | Margaret Atwood
        Oryx and Crake | Margaret Atwood | | MaddAddam | 1
        Life of Pi | Yann Martel
        Cloud Atlas | David Mitchell
        White Teeth | Zadie Smith
        The Curious Incident of the Dog in the Night-Time | Mark Haddon
        The Guernsey Literary and Potato Peel Pie Society | Mary Ann Shaffer & Annie Barrows
        The Hundred-Year-Old Man Who Climbed Out of the Window and Disappeared | Jonas Jonasson
        The Name of the Rose | Umberto Eco
        Invisible Cities | Italo Calvino
        If on a Winter's Night a Traveller | Italo Calvino
        One Hundred Years of Solitude | Gabriel García Márquez | García Márquez
        2666 | Roberto Bolaño
        Crime and Punishment | Fyodor Dostoevsky
        Anna Karenina | Leo Tolstoy
        The Master and Margarita | Mikhail Bulgakov
        Austerlitz | W. G. Sebald
        Norwegian Wood | Haruki Murakami
        Kafka on the Shore | Haruki Murakami
        1Q84 | Haruki Murakami
        Colorless Tsukuru Tazaki and His Years of Pilgrimage | Haruki Murakami
        And Then There Were None | Agatha Christie
        4.50 from Paddington | Agatha Christie
        The Hound of the Baskervilles | Arthur Conan Doyle | Conan Doyle
        The Big Sleep | Raymond Chandler
        The Maltese Falcon | Dashiell Hammett
        Gaudy Night | Dorothy L. Sayers
        The Talented Mr. Ripley | Patricia Highsmith
        Tinker Tailor Soldier Spy | John le Carré
        The Spy Who Came in from the Cold | John le Carré
        L.A. Confidential | James Ellroy
        The Silence of the Lambs | Thomas Harris
        The No. 1 Ladies' Detective Agency | Alexander McCall Smith | McCall Smith
        Knots and Crosses | Ian Rankin | | Inspector Rebus | 1
        61 Hours | Lee Child
        Gone Girl | Gillian Flynn
        It | Stephen King
        The Shining | Stephen King
        11/22/63 | Stephen King
        The Gunslinger | Stephen King | | The Dark Tower | 1
        The Drawing of the Three | Stephen King | | The Dark Tower | 2
        The Left Hand of Darkness | Ursula K. Le Guin
        A Wizard of Earthsea | Ursula K. Le Guin | | Earthsea | 1
        The Tombs of Atuan | Ursula K. Le Guin | | Earthsea | 2
        The Farthest Shore | Ursula K. Le Guin | | Earthsea | 3
        Dune | Frank Herbert | | Dune | 1
        Dune Messiah | Frank Herbert | | Dune | 2
        Children of Dune | Frank Herbert | | Dune | 3
        Neuromancer | William Gibson
        Snow Crash | Neal Stephenson
        Foundation | Isaac Asimov | | Foundation | 1
        Foundation and Empire | Isaac Asimov | | Foundation | 2
        Second Foundation | Isaac Asimov | | Foundation | 3
        I, Robot | Isaac Asimov
        Rendezvous with Rama | Arthur C. Clarke
        2001: A Space Odyssey | Arthur C. Clarke
        Do Androids Dream of Electric Sheep? | Philip K. Dick
        Ubik | Philip K. Dick
        The Moon Is a Harsh Mistress | Robert A. Heinlein
        A Canticle for Leibowitz | Walter M. Miller, Jr. | Miller
        Flowers for Algernon | Daniel Keyes
        Hyperion | Dan Simmons
        Consider Phlebas | Iain M. Banks
        Leviathan Wakes | James S. A. Corey | | The Expanse | 1
        Kindred | Octavia E. Butler
        The Hitchhiker's Guide to the Galaxy | Douglas Adams
        The Restaurant at the End of the Universe | Douglas Adams
        So Long, and Thanks for All the Fish | Douglas Adams
        Good Omens | Terry Pratchett & Neil Gaiman
        The Colour of Magic | Terry Pratchett | | Discworld | 1
        Equal Rites | Terry Pratchett | | Discworld | 3
        Mort | Terry Pratchett | | Discworld | 4
        Sourcery | Terry Pratchett | | Discworld | 5
        Guards! Guards! | Terry Pratchett | | Discworld | 8
        Small Gods | Terry Pratchett | | Discworld | 13
        Hogfather | Terry Pratchett | | Discworld | 20
        A Game of Thrones | George R. R. Martin | | A Song of Ice and Fire | 1
        A Clash of Kings | George R. R. Martin | | A Song of Ice and Fire | 2
        A Storm of Swords | George R. R. Martin | | A Song of Ice and Fire | 3
        The Eye of the World | Robert Jordan | | The Wheel of Time | 1
        The Great Hunt | Robert Jordan | | The Wheel of Time | 2
        The Way of Kings | Brandon Sanderson | | The Stormlight Archive | 1
        Assassin's Apprentice | Robin Hobb | | The Farseer Trilogy | 1
        Jonathan Strange & Mr Norrell | Susanna Clarke
        The Hobbit | J. R. R. Tolkien
        The Fellowship of the Ring | J. R. R. Tolkien | | The Lord of the Rings | 1
        The Two Towers | J. R. R. Tolkien | | The Lord of the Rings | 2
        The Return of the King | J. R. R. Tolkien | | The Lord of the Rings | 3
        Harry Potter and the Philosopher's Stone | J. K. Rowling | | Harry Potter | 1
        Harry Potter and the Chamber of Secrets | J. K. Rowling | | Harry Potter | 2
        Harry Potter and the Prisoner of Azkaban | J. K. Rowling | | Harry Potter | 3
        Northern Lights | Philip Pullman | | His Dark Materials | 1
        The Subtle Knife | Philip Pullman | | His Dark Materials | 2
        The Hunger Games | Suzanne Collins | | The Hunger Games | 1
        Catching Fire | Suzanne Collins | | The Hunger Games | 2
        Swallows and Amazons | Arthur Ransome
        Five on a Treasure Island | Enid Blyton | | The Famous Five | 1
        The Bad Beginning | Lemony Snicket | | A Series of Unfortunate Events | 1
        The Lion, the Witch and the Wardrobe | C. S. Lewis
        Alice's Adventures in Wonderland | Lewis Carroll
        Winnie-the-Pooh | A. A. Milne
        The Wind in the Willows | Kenneth Grahame
        Charlotte's Web | E. B. White
        From the Mixed-Up Files of Mrs. Basil E. Frankweiler | E. L. Konigsburg
        Alexander and the Terrible, Horrible, No Good, Very Bad Day | Judith Viorst
        Are You There God? It's Me, Margaret. | Judy Blume
        The Secret Diary of Adrian Mole, Aged 13¾ | Sue Townsend
        Where the Wild Things Are | Maurice Sendak
        Oh, the Places You'll Go! | Dr. Seuss | Dr. Seuss
        Matilda | Roald Dahl
        The BFG | Roald Dahl
        Holes | Louis Sachar
        The Absolutely True Diary of a Part-Time Indian | Sherman Alexie
        Watership Down | Richard Adams
        Hamlet | William Shakespeare
        A Midsummer Night's Dream | William Shakespeare
        The Importance of Being Earnest | Oscar Wilde
        Waiting for Godot | Samuel Beckett
        Who's Afraid of Virginia Woolf? | Edward Albee
        Rosencrantz and Guildenstern Are Dead | Tom Stoppard
        Leaves of Grass | Walt Whitman
        The Waste Land | T. S. Eliot
        Ariel | Sylvia Plath
        Death of a Naturalist | Seamus Heaney
        Howl and Other Poems | Allen Ginsberg
        On the Origin of Species | Charles Darwin
        An Inquiry into the Nature and Causes of the Wealth of Nations | Adam Smith
        A Brief History of Time | Stephen Hawking
        A Short History of Nearly Everything | Bill Bryson
        The Selfish Gene | Richard Dawkins
        Cosmos | Carl Sagan
        The Structure of Scientific Revolutions | Thomas S. Kuhn
        Surely You're Joking, Mr. Feynman! | Richard P. Feynman
        The Man Who Mistook His Wife for a Hat | Oliver Sacks
        Thinking, Fast and Slow | Daniel Kahneman
        Gödel, Escher, Bach | Douglas R. Hofstadter
        Guns, Germs, and Steel | Jared Diamond
        1491: New Revelations of the Americas Before Columbus | Charles C. Mann
        SPQR | Mary Beard
        1066 and All That | W. C. Sellar & R. J. Yeatman
        In Cold Blood | Truman Capote
        Fear and Loathing in Las Vegas | Hunter S. Thompson
        H is for Hawk | Helen Macdonald
        I Know Why the Caged Bird Sings | Maya Angelou
        84, Charing Cross Road | Helene Hanff
        Zen and the Art of Motorcycle Maintenance | Robert M. Pirsig
        Freakonomics | Steven D. Levitt & Stephen J. Dubner
        The 7 Habits of Highly Effective People | Stephen R. Covey
        Men Are from Mars, Women Are from Venus | John Gray
        Eats, Shoots & Leaves | Lynne Truss
        The Elements of Style | William Strunk Jr. & E. B. White | Strunk & White
        In Patagonia | Bruce Chatwin
        A Time of Gifts | Patrick Leigh Fermor | Leigh Fermor
        The Great Railway Bazaar | Paul Theroux
        Into Thin Air | Jon Krakauer
        French Provincial Cooking | Elizabeth David
        Mastering the Art of French Cooking | Julia Child, Louisette Bertholle & Simone Beck
        Jerusalem | Yotam Ottolenghi & Sami Tamimi
        Salt, Fat, Acid, Heat | Samin Nosrat
        The C Programming Language | Brian W. Kernighan & Dennis M. Ritchie
        Structure and Interpretation of Computer Programs | Harold Abelson & Gerald Jay Sussman
        Fundamental Algorithms | Donald E. Knuth | | The Art of Computer Programming | 1
        Sorting and Searching | Donald E. Knuth | | The Art of Computer Programming | 3
        Introduction to Algorithms | Thomas H. Cormen, Charles E. Leiserson, Ronald L. Rivest & Clifford Stein
        Artificial Intelligence: A Modern Approach | Stuart Russell & Peter Norvig
        Pattern Recognition and Machine Learning | Christopher M. Bishop
        The Elements of Statistical Learning: Data Mining, Inference, and Prediction | Trevor Hastie, Robert Tibshirani \
        & Jerome Friedman
        Design Patterns: Elements of Reusable Object-Oriented Software | Erich Gamma, Richard Helm, Ralph Johnson \
        & John Vlissides
        Code Complete | Steve McConnell
        C# in Depth | Jon Skeet
        Calculus | Michael Spivak
        Gravitation | Charles W. Misner, Kip S. Thorne & John Archibald Wheeler
        The Principles of Quantum Mechanics | P. A. M. Dirac
        """
}
