import EventLoop
package import UplinkProtocol

/// The access to a machine, which a service gives as long as a connection stands (UPLINK.md, 6). It is closed when
/// nobody uses it any more.
package final class AccessChannel: Sendable {
  /// The machine.
  package let machine: LocatedMachine
  private let end: EndSignal
  /// Ends when the access is lost, or closed.
  private let life: AsyncStream<Void>

  private init(_ machine: LocatedMachine, _ end: EndSignal, _ life: AsyncStream<Void>) {
    self.machine = machine
    self.end = end
    self.life = life
  }

  deinit { end.call() }

  /// Opens it.
  ///
  /// - Parameters:
  ///   - authorities: a file of certificates (PEM) to trust instead of those of the system.
  ///   - limit: how long that may take.
  /// - Returns: nil where it is not opened in time, refused, or the task is cancelled.
  static func open(
    _ machine: LocatedMachine, authorities: String?, limit: Duration
  ) async -> AccessChannel? {
    guard let end = EndSignal() else { return nil }
    let (life, continuation) = AsyncStream.makeStream(of: Void.self)
    let isOpen: Bool = await withTaskCancellationHandler {
      await withCheckedContinuation { (opened: CheckedContinuation<Bool, Never>) in
        Blocking.start {
          defer { continuation.finish() }
          let deadline = ContinuousClock.now + limit
          guard let run = AccessRun(to: machine.access, authorities: authorities, end),
            run.open(until: deadline)
          else {
            opened.resume(returning: false)
            return
          }
          opened.resume(returning: true)
          run.keep()
        }
      }
    } onCancel: {
      end.call()
    }
    return isOpen ? AccessChannel(machine, end, life) : nil
  }

  /// Closes it.
  package func close() { end.call() }

  /// Does something as long as the access stands; it is cancelled when that is lost.
  ///
  /// - Throws: ``UplinkProtocol/LocateError`` of kind `accessLost`, or what is thrown meanwhile.
  package func hold<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask { try await body() }
      group.addTask { [life] in
        for await _ in life {}
        return nil
      }
      defer { group.cancelAll() }
      while let ended = try await group.next() {
        if let value = ended { return value }
        // Who is cancelled says itself what came of it.
        guard Task.isCancelled else { break }
      }
      throw LocateError(.accessLost)
    }
  }
}
