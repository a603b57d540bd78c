package import Bluetooth
import Diagnosis
package import EventLoop

/// A connection to a peer over a bearer of our own: the shell around ``ATTClient``.
package actor ATTConnection: ValueReceiver, GATTConnection, ATTBearerOwner {
  package nonisolated let reactor: Reactor

  private let bearer: any ATTBearer
  private var operationLimit: Duration
  private let onEnd: @Sendable () -> Void
  private var client = ATTClient()
  private var turns = OperationQueue()
  private var running: CheckedContinuation<Result<ATTOutcome, GATTError>, Never>?
  private var operationTimer: ReactorTimer?
  private var transactionTimer: ReactorTimer?
  /// The request that the transaction timer is for.
  private var timed = 0
  /// Waits until the bearer takes more.
  private var congested: CheckedContinuation<Void, Never>?
  private var values: [UInt16: ValueQueue] = [:]
  /// Why nothing more can be done.
  package private(set) var end: GATTError?
  private var isDown = false
  private var leaving: [CheckedContinuation<Void, Never>] = []

  /// - Parameters:
  ///   - bearer: a link that is up.
  ///   - onEnd: called once when it is down.
  package init(
    reactor: Reactor, bearer: any ATTBearer, limits: GATTLimits,
    onEnd: @escaping @Sendable () -> Void = {}
  ) {
    self.reactor = reactor
    self.bearer = bearer
    operationLimit = limits.operation
    self.onEnd = onEnd
  }

  /// Finds out what the peer offers. After an error the bearer is being closed.
  package func open(within limit: Duration) async throws(GATTError) {
    bearer.start(self)
    do throws(GATTError) {
      _ = try await perform(.discover, within: limit)
    } catch {
      leave(error)
      throw error
    }
  }

  package var characteristics: [GATTCharacteristic] { client.attributes.characteristics }
  package var mtu: Int? { client.attributes.mtu }
  /// Whether it has ended, or is ending.
  package var hasEnded: Bool { end != nil }

  package func limitOperations(to limit: Duration) { operationLimit = limit }

  package func read(_ characteristic: GATTCharacteristic) async throws(GATTError) -> [UInt8] {
    try check(characteristic, during: "read")
    let outcome = try await perform(.read(handle: characteristic.handle))
    guard case .value(let value) = outcome else { return [] }
    return value
  }

  package func write(
    _ value: [UInt8], to characteristic: GATTCharacteristic, _ kind: GATTWriteKind
  ) async throws(GATTError) {
    try check(characteristic, during: "write")
    switch kind {
    case .withResponse: _ = try await perform(.write(value, handle: characteristic.handle))
    case .withoutResponse:
      _ = try await perform(.writeWithoutResponse(value, handle: characteristic.handle))
    }
  }

  package func subscribe(to characteristic: GATTCharacteristic) async throws(GATTError) {
    try check(characteristic, during: "subscribe")
    guard values[characteristic.handle] == nil else { return }
    // Values may come before the answer.
    let queue = ValueQueue(on: reactor)
    values[characteristic.handle] = queue
    do throws(GATTError) {
      _ = try await perform(.subscribe(characteristic))
    } catch {
      values[characteristic.handle] = nil
      queue.finish(error)
      throw error
    }
  }

  package func valueQueue(of characteristic: GATTCharacteristic) -> ValueQueue? {
    values[characteristic.handle]
  }

  private func check(
    _ characteristic: GATTCharacteristic, during operation: String
  ) throws(GATTError) {
    if let end { throw ended(end, during: operation) }
    guard characteristics.contains(characteristic) else {
      throw GATTError(
        .notFound, during: operation, "the peer has no characteristic \(characteristic.uuid)")
    }
  }

  private func ended(_ error: GATTError, during operation: String) -> GATTError {
    GATTError(error.kind, during: operation, error.reason)
  }

  private func perform(
    _ operation: ATTClient.Operation, within limit: Duration? = nil
  ) async throws(GATTError) -> ATTOutcome {
    await withCheckedContinuation { turns.take($0) }
    defer { turns.leave() }
    let start = ContinuousClock.now
    let limit = limit ?? operationLimit
    if case .writeWithoutResponse = operation { await waitForRoom(within: limit) }
    let result: Result<ATTOutcome, GATTError> = await withCheckedContinuation { continuation in
      // Looked for within: between lines before, the connection could end.
      if let end {
        return continuation.resume(returning: .failure(ended(end, during: operation.name)))
      }
      running = continuation
      operationTimer = schedule(after: max(.zero, limit - (.now - start))) {
        $0.operationTimedOut()
      }
      handle(client.start(operation))
    }
    return try result.get()
  }

  private func waitForRoom(within limit: Duration) async {
    let deadline = ContinuousClock.now + limit
    let timer = schedule(after: limit) { $0.hasRoom() }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      guard end == nil, bearer.isCongested, .now < deadline else { return continuation.resume() }
      congested = continuation
    }
    timer.cancel()
  }

  private func hasRoom() {
    congested?.resume()
    congested = nil
  }

  private func operationTimedOut() {
    operationTimer = nil
    handle(client.abandon())
  }

  private func finish(_ result: Result<ATTOutcome, GATTError>) {
    operationTimer?.cancel()
    operationTimer = nil
    running?.resume(returning: result)
    running = nil
  }

  private func handle(_ actions: [ATTClient.Action]) {
    for action in actions {
      switch action {
      case .send(let pdu): bearer.send(pdu)
      case .finished(let result): finish(result)
      case .value(let handle, let value): values[handle]?.push(value)
      case .close(let error): leave(error)
      }
    }
    timeTransaction()
  }

  private func timeTransaction() {
    guard client.awaitsAnswer, end == nil else {
      transactionTimer?.cancel()
      transactionTimer = nil
      return
    }
    guard transactionTimer == nil || timed != client.requests else { return }
    timed = client.requests
    transactionTimer?.cancel()
    transactionTimer = schedule(after: ATTClient.transactionLimit) {
      $0.handle($0.client.transactionTimedOut())
    }
  }

  package nonisolated func received(_ pdu: [UInt8]) {
    assumeIsolated { connection in
      guard connection.end == nil else { return }
      connection.handle(connection.client.receive(pdu.span))
    }
  }

  package nonisolated func bearerIsReady() { assumeIsolated { $0.hasRoom() } }

  package nonisolated func bearerEnded(_ error: GATTError) { assumeIsolated { $0.down(error) } }

  private func down(_ error: GATTError) {
    guard !isDown else { return }
    isDown = true
    leave(error)
    for continuation in leaving { continuation.resume() }
    leaving = []
    onEnd()
  }

  /// From now on nothing more can be done; what is under way ends with the error.
  private func leave(_ error: GATTError) {
    guard end == nil else { return }
    end = error
    transactionTimer?.cancel()
    transactionTimer = nil
    finish(.failure(ended(error, during: client.operationName ?? error.operation)))
    hasRoom()
    for queue in values.values { queue.finish(error) }
    if !isDown { bearer.close() }
  }

  package func disconnect() async {
    leave(GATTError(.abortedLocally, during: "connect", "this side has disconnected"))
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      if isDown { continuation.resume() } else { leaving.append(continuation) }
    }
  }
}
