import NIOCore
import NIOHTTP1
import Synchronization

/// Attributes the bytes of a connection to requests.
///
/// A connection carries one request at a time. The bytes on the wire are visible only at the socket, where requests
/// cannot be distinguished, and requests only above the HTTP codec; so there is a handler at either place.
enum ConnectionMeter {
    /// Header in which a request names its meter; it is removed before the request is written.
    static let header = "X-Transfer-Meter"

    static func install(on channel: any Channel, meters: MeterRegistry) throws {
        let current = CurrentMeter()
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(SocketCounter(current), position: .first)
        let encoder = try pipeline.handler(type: HTTPRequestEncoder.self)
        try pipeline.addHandler(RequestWatcher(current, meters), position: .after(encoder))
    }

    /// The meter of the request that a connection carries; used on the connection's event loop only.
    private final class CurrentMeter {
        var meter: TransferMeter?
    }

    private final class SocketCounter: ChannelDuplexHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer
        typealias OutboundIn = IOData
        typealias OutboundOut = IOData

        private let current: CurrentMeter

        init(_ current: CurrentMeter) { self.current = current }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            current.meter?.addDown(unwrapInboundIn(data).readableBytes)
            context.fireChannelRead(data)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            current.meter?.addUp(unwrapOutboundIn(data).readableBytes)
            context.write(data, promise: promise)
        }
    }

    private final class RequestWatcher: ChannelOutboundHandler {
        typealias OutboundIn = HTTPClientRequestPart
        typealias OutboundOut = HTTPClientRequestPart

        private let current: CurrentMeter
        private let meters: MeterRegistry

        init(_ current: CurrentMeter, _ meters: MeterRegistry) { (self.current, self.meters) = (current, meters) }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            guard case .head(var head) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
            current.meter = head.headers.first(name: ConnectionMeter.header).flatMap {
                meters.meter(named: $0, on: context.eventLoop)
            }
            head.headers.remove(name: ConnectionMeter.header)
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        }
    }
}

/// The meters of the requests that are under way, by the names that they travel under inside the client.
final class MeterRegistry: Sendable {
    private struct Entries {
        var next = 0
        var meters: [String: TransferMeter] = [:]
        var loops: [String: any EventLoop] = [:]
    }

    private let entries = Mutex(Entries())

    func add(_ meter: TransferMeter) -> String {
        entries.withLock {
            $0.next += 1
            let name = String($0.next)
            $0.meters[name] = meter
            return name
        }
    }

    /// Returns the meter of a request that a connection on `loop` now carries.
    func meter(named name: String, on loop: any EventLoop) -> TransferMeter? {
        entries.withLock { entries in
            entries.meters[name].map { meter in
                entries.loops[name] = loop
                return meter
            }
        }
    }

    /// Waits until the bytes in flight at a request's cancellation are written and counted.
    func settle(_ name: String) async {
        let loop = entries.withLock { $0.loops[name] }
        // The cancellation is already queued on the loop: later bytes are not written any more.
        try? await loop?.submit {}.get()
    }

    func remove(_ name: String) {
        entries.withLock {
            $0.meters[name] = nil
            $0.loops[name] = nil
        }
    }
}
