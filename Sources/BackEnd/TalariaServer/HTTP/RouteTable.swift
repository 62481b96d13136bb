import Hummingbird

/// Which methods each address takes.
struct RouteTable: Sendable {
    private var routes: [(path: [String], method: String)] = []

    /// Adds the routes of a router, and HEAD wherever it has GET.
    ///
    /// - Parameter router: with all its routes.
    init(_ router: Router<TalariaContext>) {
        for route in router.routes {
            let path = Self.parts("\(route.path)")
            routes.append((path, route.method.rawValue))
            if route.method == .get { routes.append((path, "HEAD")) }
        }
    }

    /// - Parameter path: of a request.
    /// - Returns: the methods in alphabetical order; none where there is nothing.
    func methods(at path: String) -> [String] {
        let parts = Self.parts(path)
        return routes.filter { route in
            route.path.count == parts.count
                && zip(route.path, parts).allSatisfy { $0.0 == $0.1 || $0.0.hasPrefix("{") }
        }.map(\.method).sorted()
    }

    private static func parts(_ path: String) -> [String] { path.split(separator: "/").map(String.init) }
}
