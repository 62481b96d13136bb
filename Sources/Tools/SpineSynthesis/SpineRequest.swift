import SpineDatasets

/// Brief for the design of a spine: the categories of a data set and their meaning here.
struct SpineRequest: Sendable, Equatable {
    enum Layout: String, Sendable, CaseIterable {
        /// Title and author one after the other along the spine.
        case running
        /// Title and author side by side along the spine.
        case sideBySide
        /// Words across the spine, one above the other.
        case stacked
        /// The title one upright letter below the other.
        case letterStack
        /// Title and author across the spine, between the raised bands of a binding.
        case compartments
        /// The author across the spine, the title along it.
        case authorAcross
        /// The title across the spine, the author along it.
        case titleAcross

        /// Returns whether the layout has a place for `extra`; stickers fit anywhere.
        func holds(_ extra: Extra?) -> Bool {
            switch extra {
            case .series: self == .running || self == .compartments
            case .subtitle: self == .running
            default: true
            }
        }
    }

    /// Treatment that makes lettering or a surface hard to read.
    enum Treatment: String, Sendable, CaseIterable {
        case script, outlined, foil, blackletter, picture, letterSpaced, shadowed, handLettered, smallWords
        case smallCapitals, embossed, scene, hollow, display, toneOnTone, twoColours, glowing, graded
        case largeInitials, stretched, mixedWeights, typewriter

        /// Genre of its lettering; nil when it is not a matter of the typeface.
        var genre: Typeface.Genre? { Typeface.Genre(rawValue: rawValue) }

        static let frequent: [Treatment] = [.script, .toneOnTone, .picture, .handLettered, .hollow, .display, .scene]
    }

    /// Addition that a spine carries besides title, author and publisher.
    enum Extra: String, Sendable, CaseIterable {
        case callNumber, series, subtitle, genreLabel, barCode
    }

    var category: SampleCategory
    var layout: Layout
    var pose: SpineSpecification.Pose
    var treatment: Treatment?
    var extra: Extra?
}

extension SpineRequest {
    /// Creates the brief for the `ordinal`-th (from 0) spine of a category: every treatment and layout has its turn.
    init(category: SampleCategory, ordinal: Int) {
        let treatments = Treatment.allCases
        // The most popular and the hardest layouts appear twice as often.
        let decorations = treatments + Treatment.frequent
        // Five in twelve spines carry something more, each kind in turn; the numbers share no factor with the cycles
        // of the layouts, so that everything meets everything.
        let extras: [Extra?] = [
            nil, .callNumber, nil, .series, nil, nil, .subtitle, nil, .callNumber, nil,
            ordinal % 2 == 0 ? .genreLabel : .barCode,
        ]
        var extra = extras[ordinal % extras.count]
        var (layout, pose, treatment): (Layout, SpineSpecification.Pose, Treatment?) = (.running, .standing, nil)
        switch category {
        case .vertical:
            // Small words between big ones are as common on plain spines as on decorated ones.
            if ordinal % 6 == 1 { treatment = .smallWords } else if ordinal % 5 == 3 { layout = .sideBySide }
        case .inverted:
            let layouts: [Layout] = [
                .running, .running, .sideBySide, .stacked, .running, .authorAcross, .running, .letterStack, .running,
                .titleAcross, .running, .compartments,
            ]
            (layout, pose) = (layouts[ordinal % layouts.count], .upsideDown)
            if layout == .running && ordinal % 4 == 2 { treatment = treatments[(ordinal / 4) % treatments.count] }
        case .stylized:
            // Layouts that are hard by themselves follow each round of treatments.
            let place = ordinal % (decorations.count + 2)
            treatment = place < decorations.count ? decorations[place] : place == decorations.count ? nil : .foil
            let needsRows = [.smallWords, .twoColours, .mixedWeights].contains(treatment)
            if place >= decorations.count {
                layout = treatment == nil ? .letterStack : .compartments
            } else if ordinal % 5 == 4 && !needsRows {
                layout = .sideBySide
            }
            if ordinal % 3 != 0 { extra = nil }
        case .horizontal:
            let layouts: [(Layout, SpineSpecification.Pose)] = [
                (.running, .lying), (.stacked, .standing), (.compartments, .standing), (.stacked, .standing),
                (.sideBySide, .lying), (.letterStack, .standing),
            ]
            (layout, pose) = layouts[ordinal % layouts.count]
        case .mixed: layout = ordinal.isMultiple(of: 2) ? .authorAcross : .titleAcross
        }
        self.init(
            category: category,
            layout: layout,
            pose: pose,
            treatment: treatment,
            extra: layout.holds(extra) ? extra : nil
        )
    }

    /// Returns whether `book` has words that this layout can hold in letters of a readable size.
    func suits(_ book: Book) -> Bool {
        if extra == .series, book.series == nil { return false }
        let words = book.title.split(separator: " ")
        let longest = words.map(\.count).max() ?? 0
        let fits =
            switch layout {
            case .running: true
            case .sideBySide: book.title.count <= 45
            case .stacked: words.count <= 5 && longest <= 10 && book.author.count <= 18
            case .letterStack: words.count <= 2 && book.title.count <= 11 && book.title.allSatisfy(\.stacks)
            case .compartments: words.count <= 4 && longest <= 11 && book.surname.count <= 11
            case .authorAcross: book.title.count <= 34 && !book.surname.isEmpty && book.surname.count <= 11
            case .titleAcross: words.count <= 4 && longest <= 9 && !book.author.isEmpty
            }
        guard fits else { return false }
        switch treatment {
        case .smallWords: return (2...3).contains(TitleRows.bySize(book.title).count)
        case .letterSpaced: return book.title.count <= 20
        case .mixedWeights, .twoColours: return words.count >= 2 && book.title.count <= 30
        case .some: return book.title.count <= 30
        case nil: return true
        }
    }
}

extension Character {
    /// Whether the character has its own row in a column of letters; a hyphen or an apostrophe does not.
    fileprivate var stacks: Bool { isLetter || isNumber || self == " " }
}
