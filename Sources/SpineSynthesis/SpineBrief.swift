package import SpineDatasets

/// What kind of spine to design: the categories of a data set and what they mean here.
package struct SpineBrief: Sendable, Equatable {
    /// How the text is laid out on the spine.
    package enum Layout: String, Sendable, Codable {
        case running
        case stacked
        case mixed
    }

    /// What makes lettering hard to read.
    package enum Treatment: String, Sendable, Codable, CaseIterable {
        case script
        case outlined
        case foil
        case blackletter
        case picture
        case letterSpaced
        case shadowed
        case smallWords
        case smallCapitals
        case embossed
        case hollow
        case display
    }

    package var category: SampleCategory
    package var layout: Layout
    package var pose: SpineSpecification.Pose
    package var treatment: Treatment?

    package init(category: SampleCategory, layout: Layout, pose: SpineSpecification.Pose, treatment: Treatment? = nil) {
        self.category = category
        self.layout = layout
        self.pose = pose
        self.treatment = treatment
    }

    /// The brief for the `ordinal`-th (from 0) spine of a category, so that every treatment and layout has its turn.
    package init(category: SampleCategory, ordinal: Int) {
        let treatments = Treatment.allCases
        switch category {
        case .vertical:
            // Small words between big ones are as common on plain spines as on decorated ones.
            self.init(
                category: category,
                layout: .running,
                pose: .standing,
                treatment: ordinal % 6 == 1 ? .smallWords : nil
            )
        case .inverted:
            self.init(
                category: category,
                layout: ordinal % 8 == 3 ? .stacked : .running,
                pose: .upsideDown,
                treatment: ordinal % 4 == 2 ? treatments[(ordinal / 4) % treatments.count] : nil
            )
        case .stylized:
            self.init(
                category: category,
                layout: .running,
                pose: .standing,
                treatment: treatments[ordinal % treatments.count]
            )
        case .horizontal:
            let lying = ordinal.isMultiple(of: 2)
            self.init(category: category, layout: lying ? .running : .stacked, pose: lying ? .lying : .standing)
        case .mixed:
            self.init(category: category, layout: .mixed, pose: .standing)
        }
    }

    /// Whether `book` has words that this layout can hold in letters of a readable size.
    package func suits(_ book: Book) -> Bool {
        let words = book.title.split(separator: " ")
        switch (layout, treatment) {
        case (.stacked, _): return words.count <= 5 && words.allSatisfy { $0.count <= 10 } && book.author.count <= 18
        case (.mixed, _): return book.title.count <= 30 && book.surname.count <= 10
        case (_, .smallWords?): return (2...3).contains(TitleRows.bySize(book.title).count)
        case (_, .letterSpaced?): return book.title.count <= 20
        case (_, .some): return book.title.count <= 30
        default: return true
        }
    }
}
