/// Words that stand on spines for the publisher or the series rather than for the book.
enum Imprints {
    /// Folded.
    static let words = Set(
        """
        abacus albin alfaguara alianza allen ariel aufbau avon back ballantine bantam barcanova barnes basic bay berkley \
        biblioteca bloomsbury bolsillo books bur calmann cambridge casterman castermans catedra clarion classics classiques \
        collection collins columna compass corgi critica cruilla dalloz daw del delacorte delta dell deusto diogenes dtv dutton eaton \
        ed edebe edhasa edicions ediciones edition editions editorial editores einaudi empuries espasa everyman faber fabula \
        farrar fayard feltrinelli fiction fischer flammarion folio fontana gallimard garzanti giroux goldmann grasset greenwillow \
        grijalbo grove hachette hanser harcourt hardcover harper harpercollins harvard headline henry heyne hodder holt houghton \
        hyperion insel juventud kairos klett kiepenheuer knaur knopf larousse laurel leaf lectorum lippincott livre llibres \
        macmillan mandarin mariner mcgraw meridian mifflin minotauro mondadori morrow newbery nonfiction noguer norton novel novela \
        novella orbit orion oxford paidos pan pantheon paperback paperbacks pearson penguin picador piper planeta plaza plon plume pocket \
        point poche portic presses press proa puffin pulse putnam random reclam roca rowohlt rororo routledge sandpiper sasquatch \
        schocken scholastic scribner seuil shuster schuster signet siglo silvertail simon siruela springer square suhrkamp teide tor touchstone \
        tusquets ullstein university vergara verlag verso vicens viking vintage virago wiley wordsworth yale yearling york zsolnay
        """.split { $0 == " " || $0 == "\n" }.map { Array($0.utf8) }
    )
}
