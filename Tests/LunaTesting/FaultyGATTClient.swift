public import Bluetooth

/// A client on whose connections things go wrong when a test says so.
public final class FaultyGATTClient: GATTClient {
  /// Says what goes wrong with a message; nil for nothing.
  public typealias Script = @Sendable (GATTMessage) -> GATTFault?

  private struct State: Sendable {
    var messages: [GATTMessage] = []
    var frozen: [CheckedContinuation<Void, Never>] = []
    var isThawed = false
  }

  private let inner: any GATTClient
  private let script: Script
  private let clock: any Clock<Duration>
  private let state = Watched(State())

  /// A client that connects with another one.
  ///
  /// - Parameters:
  ///   - clock: what is waited by where something is late.
  ///   - script: asked for each message.
  public init(
    _ inner: any GATTClient, clock: any Clock<Duration> = ContinuousClock(),
    script: @escaping Script
  ) {
    self.inner = inner
    self.clock = clock
    self.script = script
  }

  /// What was attempted so far.
  public var messages: [GATTMessage] { state.withLock { $0.messages } }

  /// Returns when a call stands still in a freeze.
  public func untilFrozen() async throws { try await state.until { !$0.frozen.isEmpty } }

  /// Lets calls that stand still fail; at the end of a test.
  public func thaw() {
    let frozen = state.withLock { state in
      defer { state.frozen = [] }
      state.isThawed = true
      return state.frozen
    }
    for continuation in frozen { continuation.resume() }
  }

  /// Connects.
  public func connect(
    to peer: GATTPeer, _ limits: GATTLimits, progress: @escaping @Sendable (String) -> Void
  ) async throws(GATTError) -> any GATTConnection {
    let inner = inner
    let connection = try await perform(.connect, ending: nil) { () async throws(GATTError) in
      try await inner.connect(to: peer, limits, progress: progress)
    }
    return FaultyGATTConnection(connection, self)
  }

  /// Closes the other client.
  public func close() async { await inner.close() }

  /// Does a message the way the script wants it.
  func perform<Result: Sendable>(
    _ operation: GATTMessage.Operation, ending connection: (any GATTConnection)?,
    _ body: () async throws(GATTError) -> Result
  ) async throws(GATTError) -> Result {
    let message = state.withLock { state in
      let message = GATTMessage(number: state.messages.count + 1, operation: operation)
      state.messages.append(message)
      return message
    }
    let name = operation.rawValue
    let lost = GATTError(.abortedByPeer, during: name, "the peer vanished")
    switch script(message) {
    case nil: return try await body()
    case .vanishBefore:
      await connection?.disconnect()
      throw lost
    case .vanishAfter:
      let result = try await body()
      await (connection ?? result as? any GATTConnection)?.disconnect()
      throw lost
    case .late(let delay):
      try? await clock.sleep(for: delay)
      return try await body()
    case .never(let limit):
      if operation != .indication { _ = try? await body() }
      try? await clock.sleep(for: limit)
      throw GATTError(.timedOut, during: name, "the peer did not answer in time")
    case .garbage(let change):
      let result = try await body()
      guard let bytes = result as? [UInt8], let changed = change(bytes) as? Result else {
        return result
      }
      return changed
    case .fail(let error): throw error
    case .freezeBefore:
      await freeze()
      throw lost
    case .freezeAfter:
      _ = try? await body()
      await freeze()
      throw lost
    }
  }

  private func freeze() async {
    await withCheckedContinuation { continuation in
      let isThawed = state.withLock { state in
        if !state.isThawed { state.frozen.append(continuation) }
        return state.isThawed
      }
      if isThawed { continuation.resume() }
    }
  }
}
