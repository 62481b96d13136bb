import NIOCore
import NIOHTTP1

/// Answers what is no HTTP with 400, or 431 where the header is too long, and closes the connection; asks for the bodies
/// of requests that wait to be asked.
///
/// A request of HTTP/1.1 names its host once (RFC 9112, section 3.2).
///
/// It stands before the compressor, which must not see an answer to a request that it has not seen: that ends the process
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
            guard hosts == 1 || hosts == 0 && head.version == .http1_0 else {
                hasRefused = true
                return refuse(.badRequest, context)
            }
        }
        context.fireChannelRead(data)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is BodyIsWanted else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
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

/// Tells the connection that a body is waited for: what a request with `Expect: 100-continue` wants to know.
struct BodyIsWanted: Sendable {}
