import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOHTTPTypesHTTP1

/// HTTP/1.1 with bodies compressed for clients that accept it, but for streams: their events must not wait for more.
struct CompressedHTTP1Channel: HTTPChannelHandler {
    typealias Value = HTTP1Channel.Value

    var base: HTTP1Channel
    /// Below this the gzip header costs more than it saves.
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
            try pipeline.addHandler(MalformedRequestHandler(), position: .before(compressor))
            try pipeline.addHandler(
                ConnectionGuard(writeTimeout: writeTimeout, shutdownTimeout: shutdownTimeout),
                position: .first
            )
            return value
        }
    }

    func handle(value: Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
