package import Raster

extension TextOrientation {
    /// Orientation of text in an image in which it is upright after `turn`.
    package init(uprightAfter turn: QuarterTurn) {
        switch turn {
        case .none: self = .upright
        case .counterclockwise: self = .clockwise
        case .clockwise: self = .counterclockwise
        case .half: self = .inverted
        }
    }
}
