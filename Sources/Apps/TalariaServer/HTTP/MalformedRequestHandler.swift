import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOHTTPTypesHTTP1

/// Handler that answers invalid HTTP with 400, or 431 where the header is too long, and closes the connection; it
/// requests the bodies of requests that wait for it.
///
/// A request of HTTP/1.1 names its host once (RFC 9112, section 3.2), and one of HTTP/1.0 has no transfer coding (6.1).
///
/// It precedes the compressor, which must not see an answer to a request that it has not seen: that ends the process
/// (swift-nio-extras 1.35).
final class MalformedRequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private var isAnswering = false
    private var hasRefused = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasRefused else { return }
        if case .head(let head) = unwrapInboundIn(data) {
            let hosts = head.headers[canonicalForm: "host"].count
            let isOld = head.version == .http1_0
            let isCoded = isOld && head.headers.contains(name: "transfer-encoding")
            guard hosts == 1 || hosts == 0 && isOld, !isCoded else {
                hasRefused = true
                return refuse(.badRequest, context)
            }
        }
        context.fireChannelRead(data)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is ExpectContinue else { return context.triggerUserOutboundEvent(event, promise: promise) }
        guard !isAnswering else { return }
        context.writeAndFlush(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))),
            promise: promise
        )
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head): isAnswering = !(100..<200).contains(head.status.code)
        case .body: break
        case .end: isAnswering = false
        }
        context.write(data, promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        guard !isAnswering else { return context.close(promise: nil) }
        refuse(error == .headerOverflow ? .requestHeaderFieldsTooLarge : .badRequest, context)
    }

    private func refuse(_ status: HTTPResponseStatus, _ context: ChannelHandlerContext) {
        let headers: HTTPHeaders = ["connection": "close", "content-length": "0"]
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))),
            promise: nil
        )
        let written = context.eventLoop.makePromise(of: Void.self)
        let channel = context.channel
        written.futureResult.whenComplete { _ in channel.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    }
}

/// Event for the connection that a body is expected, the confirmation of a request with `Expect: 100-continue`.
struct ExpectContinue: Sendable {}

/// HTTP/1.1 with bodies compressed for clients that accept it, but for streams: their events must not wait for more.
struct CompressedHTTP1Channel: HTTPChannelHandler {
    typealias Value = HTTP1Channel.Value

    var base: HTTP1Channel
    /// Minimum size of a compressed body: below it the gzip header costs more than it saves.
    var smallestBody = 512
    var writeTimeout: Duration
    var shutdownTimeout: Duration

    var responder: HTTPChannelHandler.Responder { base.responder }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let (smallestBody, writeTimeout, shutdownTimeout) = (smallestBody, writeTimeout, shutdownTimeout)
        return base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
            let compressor = HTTPResponseCompressor(
                initialByteBufferCapacity: 4_096,
                responseCompressionPredicate: { head, isOffered in
                    guard isOffered, head.headers.first(name: "content-type") != "text/event-stream",
                        head.headers.first(name: "content-length").flatMap({ Int($0) }) ?? .max >= smallestBody
                    else { return .doNotCompress }
                    return .compressIfPossible
                }
            )
            try pipeline.addHandler(compressor, position: .before(codec))
            let malformed = MalformedRequestHandler()
            try pipeline.addHandler(malformed, position: .before(compressor))
            try pipeline.addHandler(HTTP10Handler(), position: .before(malformed))
            try pipeline.addHandler(
                ConnectionGuard(writeTimeout: writeTimeout, shutdownTimeout: shutdownTimeout),
                position: .first
            )
            return value
        }
    }

    func handle(value: Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
