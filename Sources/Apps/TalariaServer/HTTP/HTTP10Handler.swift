import NIOCore
import NIOHTTP1

/// Handler for answers to requests of HTTP/1.0: without a transfer coding, and with the connection closed behind
/// them.
///
/// The connection stays open where the client asked for that with `Connection: keep-alive` and the length of the
/// answer is known. (RFC 9112, sections 6.1, 9.3 and C.2.2)
///
/// It precedes all handlers that write answers, as it changes their final output.
final class HTTP10Handler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private struct Request {
        var isOld: Bool
        var isKeptAlive: Bool
        var isHead: Bool
    }

    /// Requests whose answers have not been written to their end, the oldest first.
    private var requests: CircularBuffer<Request> = []
    /// Whether the last request was read to its end.
    private var isRead = true
    /// Whether the answer that is written is the last one.
    private var isLast = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Data after the last request gets no answer.
        guard !isLast || !isRead else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            isRead = false
            requests.append(
                Request(
                    isOld: head.version == .http1_0,
                    isKeptAlive: head.headers[canonicalForm: "connection"].contains { $0.lowercased() == "keep-alive" },
                    isHead: head.method == .HEAD
                )
            )
        case .body: break
        case .end:
            isRead = true
            // It was answered before its body had come.
            if isLast, requests.isEmpty { context.close(promise: nil) }
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard let request = requests.first, request.isOld else {
            if case .end = unwrapOutboundIn(data) { _ = requests.popFirst() }
            return context.write(data, promise: promise)
        }
        switch unwrapOutboundIn(data) {
        case .head(let head) where (100..<200).contains(head.status.code): promise?.succeed()
        case .head(var head):
            // The version shows the encoder that it may not write chunks.
            head.version = .http1_0
            let hasLength =
                request.isHead || !head.status.mayHaveResponseBody || head.headers.contains(name: "content-length")
            let isClosed = head.headers[canonicalForm: "connection"].contains { $0.lowercased() == "close" }
            isLast = !request.isKeptAlive || !hasLength || isClosed
            head.headers.remove(name: "transfer-encoding")
            head.headers.replaceOrAdd(name: "connection", value: isLast ? "close" : "keep-alive")
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            requests.removeFirst()
            let written = promise ?? context.eventLoop.makePromise()
            if isLast {
                let (channel, isRead) = (context.channel, isRead)
                written.futureResult.whenComplete { _ in channel.close(mode: isRead ? .all : .output, promise: nil) }
            }
            context.write(data, promise: written)
        }
    }
}
