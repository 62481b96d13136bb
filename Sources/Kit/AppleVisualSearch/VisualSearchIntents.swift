#if canImport(VisualIntelligence)
public import AppIntents
import CoreImage
import CoreVideo
import Foundation
import Imaging
public import ScanningPipeline
import Synchronization
public import VisualIntelligence
public import VisualSearch

/// Action of the app when an entity is opened.
@available(iOS 26.0, macOS 27.0, *)
struct VisualSearchNavigator: Sendable {
    var open: @MainActor @Sendable (EntityID) -> Void
    var showAll: @MainActor @Sendable (ContentDescriptor) -> Void
}

/// The app's side of the system's visual search.
public enum AppleVisualSearch {
    /// Capabilities of the device, for `ScanPlan`: the Vision framework, which every device has, reads fast and
    /// accurately.
    public static func capabilities(network: Bool) -> DeviceCapabilities {
        DeviceCapabilities(fastReader: true, accurateReader: true, network: network)
    }

    /// Whether the system of this device asks apps about the camera's view (S0-D01).
    public static var isSupported: Bool {
        if #available(iOS 26.0, macOS 27.0, *) { VisualIntelligenceHardware.isOfThisDevice } else { false }
    }

    /// Registers the answers to the system's queries and intents; call it when the app starts.
    @available(iOS 26.0, macOS 27.0, *)
    public static func register(
        _ search: ContentQuery,
        open: @escaping @MainActor @Sendable (EntityID) -> Void,
        showAll: @escaping @MainActor @Sendable (ContentDescriptor) -> Void
    ) {
        AppDependencyManager.shared.add(dependency: search)
        AppDependencyManager.shared.add(dependency: VisualSearchNavigator(open: open, showAll: showAll))
    }
}

/// App's only query about the camera's view.
@available(iOS 26.0, macOS 27.0, *)
public struct VisualSearchQuery: IntentValueQuery {
    @Dependency private var search: ContentQuery
    /// Creates the intent, as the system requires.
    public init() {}
    /// Returns the first page of results; the system asks several times for one gesture.
    public func values(for input: SemanticContentDescriptor) async throws -> [VisualSearchItem] {
        var items: [VisualSearchItem] = []
        for result in try await search.page(for: ContentDescriptor(input)).results {
            items.append(try await search.item(of: result))
        }
        return items
    }
}

/// Opens a book that was tapped.
@available(iOS 26.0, macOS 27.0, *)
public struct OpenBookIntent: OpenIntent {
    /// Name for people.
    public static let title: LocalizedStringResource = "Open Book"
    /// The app comes forward.
    public static let openAppWhenRun = true

    /// The book.
    @Parameter(title: "Book") public var target: BookItem
    @Dependency private var navigator: VisualSearchNavigator
    /// Creates the intent, as the system requires.
    public init() {}
    /// Opens it.
    public func perform() async throws -> some IntentResult {
        await navigator.open(try EntityID(url: target.id))
        return .result()
    }
}

/// Opens a shelf that was tapped.
@available(iOS 26.0, macOS 27.0, *)
public struct OpenShelfIntent: OpenIntent {
    /// Name for people.
    public static let title: LocalizedStringResource = "Open Shelf"
    /// The app comes forward.
    public static let openAppWhenRun = true

    /// The shelf.
    @Parameter(title: "Shelf") public var target: ShelfItem
    @Dependency private var navigator: VisualSearchNavigator
    /// Creates the intent, as the system requires.
    public init() {}
    /// Opens it.
    public func perform() async throws -> some IntentResult {
        await navigator.open(try EntityID(url: target.id))
        return .result()
    }
}

/// “More results”: the app continues where the sheet ended.
@available(iOS 26.0, macOS 27.0, *)
@AppIntent(schema: .visualIntelligence.semanticContentSearch)
public struct MoreResultsIntent {
    /// Required to bring the app to the front.
    public static let openAppWhenRun = true

    /// Visible content; the schema requires this name.
    public var semanticContent: SemanticContentDescriptor
    @Dependency private var navigator: VisualSearchNavigator
    /// Shows all results.
    public func perform() async throws -> some IntentResult {
        await navigator.showAll(ContentDescriptor(semanticContent))
        return .result()
    }
}

@available(iOS 26.0, macOS 27.0, *)
extension ContentDescriptor {
    /// Creates the descriptor of the system's content.
    public init(_ content: SemanticContentDescriptor) {
        self.init(
            labels: content.labels,
            picture: content.pixelBuffer.flatMap { $0.withUnsafeBuffer(RasterImage.init) }.map(
                ContentDescriptor.Picture.pixels
            ),
            language: Locale.current.language.languageCode?.identifier ?? "en"
        )
    }
}

extension RasterImage {
    /// Creating a context takes longer than drawing with it.
    private static let context = Mutex(CIContext())

    /// Creates a buffer's picture of any format in sRGB, no larger than reading needs; nil when it is empty.
    fileprivate init?(_ buffer: CVPixelBuffer) {
        let whole = CIImage(cvPixelBuffer: buffer)
        let scale = ContentDescriptor.readingScale(width: whole.extent.width, height: whole.extent.height)
        let image = whole.transformed(by: CGAffineTransform(scaleX: scale, y: scale))
        let (width, height) = (Int(image.extent.width), Int(image.extent.height))
        guard width > 0, height > 0 else { return nil }
        var rgba = [UInt8](repeating: 0, count: 4 * width * height)
        let (space, bounds, rowBytes) = (CGColorSpace(name: CGColorSpace.sRGB), image.extent, 4 * width)
        Self.context.withLock {
            $0.render(image, toBitmap: &rgba, rowBytes: rowBytes, bounds: bounds, format: .RGBA8, colorSpace: space)
        }
        self.init(width: width, height: height, rgba: rgba)
    }
}
#endif
