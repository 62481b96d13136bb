import NIOCore
import Synchronization

/// Handler that closes a connection whose client does not read the response, and reports when a client has hung up.
///
/// It is next to the socket, so that it sees bytes as the network takes them.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let state = ConnectionState()
    private let writeTimeout: TimeAmount
    private let shutdownTimeout: TimeAmount
    private var unwritten = 0
    private var deadline: Scheduled<Void>?

    init(writeTimeout: Duration, shutdownTimeout: Duration) {
        self.writeTimeout = TimeAmount(writeTimeout)
        self.shutdownTimeout = TimeAmount(shutdownTimeout)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let written = promise ?? context.eventLoop.makePromise()
        unwritten += 1
        let guardian = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        written.futureResult.whenComplete { _ in
            guardian.value.handler.unwritten -= 1
            guardian.value.handler.schedule(guardian.value.context)
        }
        if deadline == nil { schedule(context) }
        context.write(data, promise: written)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent:
            let channel = context.channel
            let end = context.eventLoop.scheduleTask(in: shutdownTimeout) { channel.close(promise: nil) }
            channel.closeFuture.whenComplete { _ in end.cancel() }
        case ChannelEvent.inputClosed: state.hangUp()
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        state.hangUp()
        context.fireChannelInactive()
    }

    /// Restarts the timeout: data was written, or is pending.
    private func schedule(_ context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = nil
        guard unwritten > 0, context.channel.isActive else { return }
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: writeTimeout) { channel.close(promise: nil) }
    }
}

/// Whether a connection's client is still there.
final class ConnectionState: Sendable {
    private struct State {
        var isGone = false
        var onHangUp: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    var isGone: Bool { state.withLock(\.isGone) }

    /// Sets the action for when the client hangs up; it runs at once if the client already has.
    ///
    /// - Parameter action: takes the place of the one before; a connection has one request at a time.
    func onHangUp(_ action: (@Sendable () -> Void)?) {
        let isGone = state.withLock { state in
            state.onHangUp = action
            return state.isGone
        }
        if isGone { action?() }
    }

    /// Records that the client sends no more, or has disconnected.
    fileprivate func hangUp() {
        let action = state.withLock { state in
            state.isGone = true
            defer { state.onHangUp = nil }
            return state.onHangUp
        }
        action?()
    }
}

extension TalariaContext {
    /// Returns the connection of this request; nil when it has none.
    func connection() async -> ConnectionState? {
        let channel = channel
        return try? await channel.eventLoop.submit {
            try channel.pipeline.syncOperations.handler(type: ConnectionGuard.self).state
        }.get()
    }

    /// Performs work that is cancelled once the client has hung up.
    func whileConnected<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        guard let connection = await connection() else { return try await body() }
        let task = Task { try await body() }
        connection.onHangUp { task.cancel() }
        defer { connection.onHangUp(nil) }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
