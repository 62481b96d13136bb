extension BookTable {
    static let portuguese = """
        Os Lusíadas | Luís de Camões | Camões
        Os Maias | Eça de Queirós | Eça de Queirós
        O Crime do Padre Amaro | Eça de Queirós | Eça de Queirós
        A Cidade e as Serras | Eça de Queirós | Eça de Queirós
        Amor de Perdição | Camilo Castelo Branco | Castelo Branco
        Viagens na Minha Terra | Almeida Garrett | Garrett
        Mensagem | Fernando Pessoa
        Memorial do Convento | José Saramago
        Ensaio sobre a Cegueira | José Saramago
        O Ano da Morte de Ricardo Reis | José Saramago
        O Evangelho segundo Jesus Cristo | José Saramago
        As Intermitências da Morte | José Saramago
        Os Cus de Judas | António Lobo Antunes | Lobo Antunes
        Terra Sonâmbula | Mia Couto
        Aparição | Vergílio Ferreira
        Bichos | Miguel Torga
        Dom Casmurro | Machado de Assis | Machado de Assis
        Memórias Póstumas de Brás Cubas | Machado de Assis | Machado de Assis
        Quincas Borba | Machado de Assis | Machado de Assis
        Iracema | José de Alencar | Alencar
        O Cortiço | Aluísio Azevedo
        Triste Fim de Policarpo Quaresma | Lima Barreto | Lima Barreto
        Macunaíma | Mário de Andrade | Mário de Andrade
        Vidas Secas | Graciliano Ramos
        Capitães da Areia | Jorge Amado
        Gabriela, Cravo e Canela | Jorge Amado
        Dona Flor e Seus Dois Maridos | Jorge Amado
        Grande Sertão: Veredas | João Guimarães Rosa | Guimarães Rosa
        A Hora da Estrela | Clarice Lispector
        A Paixão Segundo G.H. | Clarice Lispector
        Perto do Coração Selvagem | Clarice Lispector
        Morte e Vida Severina | João Cabral de Melo Neto | Cabral de Melo Neto
        O Alquimista | Paulo Coelho
        1808 | Laurentino Gomes
        Cidade de Deus | Paulo Lins
        Pedagogia do Oprimido | Paulo Freire
        Casa-Grande & Senzala | Gilberto Freyre
        Harry Potter e a Pedra Filosofal | J. K. Rowling | | Harry Potter | 1
        """
}
