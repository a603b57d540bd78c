import Synchronization

/// Server-sent events on their way to one client. A handler answers with it, and whoever has something
/// to tell sends into it, from any thread.
///
/// ```swift
/// let stream = EventStream { listeners.remove(id) }
/// listeners.add(id, stream)
/// return HTTPResponse(events: stream)
/// ```
///
/// What waits for a client that reads slowly is bounded: of one that is too far behind, the stream is
/// ended. It comes back and says what it has seen last (``HTTPRequest/lastEventID``). While nothing is
/// sent a stream costs no thread and no time but a comment at intervals (``HTTPLimits/heartbeat``), which
/// shows whether the client is still there.
public final class EventStream: Sendable {
  private struct State {
    var backlog = EventBacklog()
    /// Nothing more is taken; what waits is still sent.
    var isClosed = false
    var link: EventLink?
    /// The library waits, until it is told that there is something.
    var isSuspended = false
    var hasEnded = false
    /// Whether a heartbeat has found something that waits, and nothing was read since.
    var isOverdue = false
    var waiters: [CheckedContinuation<Bool, Never>] = []

    mutating func takeWaiters() -> [CheckedContinuation<Bool, Never>] {
      defer { waiters = [] }
      return waiters
    }

    /// The connection, for who is going to resume it: nobody else will.
    mutating func takeSuspended() -> EventLink? {
      guard isSuspended else { return nil }
      isSuspended = false
      link?.willResume()
      return link
    }
  }

  /// What sending leads to.
  private enum Next {
    case refused
    case waits
    case wake(EventLink)
    case cut(EventLink?)
  }

  private let limit: Int
  private let farewell: ServerSentEvent?
  private let mayGoOn: (@Sendable () async -> Bool)?
  private let onEnd: @Sendable () -> Void
  private let state = Mutex(State())

  /// A stream for one answer.
  ///
  /// - Parameters:
  ///   - backlog: how many bytes may wait, besides the last piece.
  ///   - farewell: what a client that is too far behind reads last; without it, its connection is cut.
  ///   - mayGoOn: asked before each heartbeat; with false the stream is closed. Nil: it may.
  ///   - onEnd: called once, when nobody gets anything any more.
  public init(
    backlog: Int = 256 << 10, farewell: ServerSentEvent? = nil,
    mayGoOn: (@Sendable () async -> Bool)? = nil,
    onEnd: @escaping @Sendable () -> Void = {}
  ) {
    limit = backlog
    self.farewell = farewell
    self.mayGoOn = mayGoOn
    self.onEnd = onEnd
  }

  /// Whether what is sent may arrive.
  public var isOpen: Bool { state.withLock { !$0.isClosed && !$0.hasEnded } }

  /// Sends an event.
  ///
  /// - Returns: false when the stream is closed, or is closed now since the client is too far behind.
  @discardableResult
  public func send(_ event: ServerSentEvent) -> Bool { send(event.bytes) }

  /// Sends events as one piece, such as those that a client has missed.
  ///
  /// - Returns: as ``send(_:)-(ServerSentEvent)``.
  @discardableResult
  public func send(_ events: some Sequence<ServerSentEvent>) -> Bool {
    send(events.flatMap(\.bytes))
  }

  private func send(_ bytes: [UInt8]) -> Bool {
    guard !bytes.isEmpty else { return isOpen }
    let (next, waiters) = state.withLock { state -> (Next, [CheckedContinuation<Bool, Never>]) in
      guard !state.isClosed, !state.hasEnded else { return (.refused, []) }
      guard state.backlog.byteCount <= limit else {
        state.isClosed = true
        guard let farewell else {
          state.backlog.drop()
          return (.cut(state.link), state.takeWaiters())
        }
        state.backlog.dropUnbegun()
        state.backlog.append(farewell.bytes)
        return (.refused, state.takeWaiters())
      }
      state.backlog.append(bytes)
      return (state.takeSuspended().map { .wake($0) } ?? .waits, [])
    }
    for waiter in waiters { waiter.resume(returning: false) }
    switch next {
    case .refused: return false
    case .waits: return true
    case .wake(let link):
      link.resume()
      return true
    case .cut(let link):
      link?.cut()
      return false
    }
  }

  /// Waits until everything is on its way to the client: for who has much to send, piece by piece.
  ///
  /// - Returns: false when nothing more is taken.
  public func drained() async -> Bool {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state -> Bool? in
        guard !state.isClosed, !state.hasEnded else { return false }
        guard state.backlog.byteCount > 0 else { return true }
        state.waiters.append(continuation)
        return nil
      }
      if let isDone { continuation.resume(returning: isDone) }
    }
  }

  /// Takes nothing more, and ends the stream when what waits has been sent.
  public func close() {
    let (link, waiters) = state.withLock { state in
      state.isClosed = true
      return (state.takeSuspended(), state.takeWaiters())
    }
    link?.resume()
    for waiter in waiters { waiter.resume(returning: false) }
  }

  /// Ends the stream if the client has gone away, which otherwise the next heartbeat finds out.
  ///
  /// - Returns: whether it has.
  public func endIfAbandoned() -> Bool {
    guard let link = state.withLock({ $0.link }), link.isAbandoned else { return false }
    abort()
    return true
  }

  /// Whether the stream is to be closed although nobody has.
  public func mayNotGoOn() async -> Bool {
    guard let mayGoOn, isOpen else { return false }
    return await !mayGoOn()
  }

  /// Shows whether the client is still there, and closes the stream when it may not go on.
  func beat() async {
    let isOverdue = state.withLock { state in
      guard state.isClosed || state.backlog.byteCount > 0, !state.hasEnded else { return false }
      defer { state.isOverdue = true }
      return state.isOverdue
    }
    // Whoever reads nothing of what waits keeps it no longer than this.
    if isOverdue { return abort() }
    if await mayNotGoOn() { return close() }
    let (link, isIdle) = state.withLock { ($0.link, $0.isSuspended) }
    guard let link else { return }
    if link.isAbandoned { return abort() }
    // Whoever has not read the last event gets no comment besides.
    if isIdle { send(.heartbeat) }
  }

  /// Ends the stream at once, with what waits.
  func abort() {
    let (link, suspended, waiters) = state.withLock { state in
      state.isClosed = true
      state.backlog.drop()
      return (state.link, state.takeSuspended(), state.takeWaiters())
    }
    link?.cut()
    suspended?.resume()
    for waiter in waiters { waiter.resume(returning: false) }
  }

  /// The answer begins.
  ///
  /// - Returns: false when the stream was an answer before.
  func attach(_ link: EventLink) -> Bool {
    state.withLock { state in
      guard state.link == nil, !state.hasEnded else { return false }
      state.link = link
      return true
    }
  }

  /// The next bytes for the library; with none the connection is suspended until there are some.
  ///
  /// - Returns: how many; nil at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    let (count, waiters) = state.withLock { state -> (Int?, [CheckedContinuation<Bool, Never>]) in
      let count = state.backlog.take(into: buffer)
      state.isOverdue = false
      if count > 0 { return (count, state.backlog.byteCount > 0 ? [] : state.takeWaiters()) }
      guard !state.isClosed, let link = state.link else { return (nil, []) }
      // Under the lock: nobody resumes it before it is suspended.
      link.suspend()
      state.isSuspended = true
      return (0, [])
    }
    for waiter in waiters { waiter.resume(returning: true) }
    return count
  }

  /// The answer is over, however it ended.
  func ended() {
    let (isFirst, waiters) = state.withLock { state in
      defer {
        state.hasEnded = true
        state.isSuspended = false
        state.backlog.drop()
      }
      return (!state.hasEnded, state.takeWaiters())
    }
    for waiter in waiters { waiter.resume(returning: false) }
    if isFirst { onEnd() }
  }
}
