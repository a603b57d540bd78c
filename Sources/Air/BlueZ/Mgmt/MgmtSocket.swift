import CLinux
import EventLoop
import Glibc
import HCIHost

/// A socket to the kernel's Bluetooth management: commands with their answers, and events.
actor MgmtSocket: ReactorActor {
  /// Gets an event's code, controller index, parameters and time.
  typealias EventHandler = @Sendable (UInt16, UInt16, Span<UInt8>, Int64) -> Void

  private struct Pending {
    let number: Int
    let continuation: CheckedContinuation<Result<[UInt8], MgmtError>, Never>
    let timer: ReactorTimer
  }

  private struct Key: Hashable {
    let opcode: UInt16
    let index: UInt16
  }

  nonisolated let reactor: Reactor

  private let reader = PacketReader(slot: 4096, count: 16)
  private var descriptor: Int32 = -1
  private var watch: ReactorWatch?
  private var pending: [Key: [Pending]] = [:]
  private var count = 0
  private let onEvent: EventHandler
  private let onBatch: @Sendable () -> Void
  private let onEnd: @Sendable (SystemCallError?) -> Void

  /// - Parameters:
  ///   - onEvent: Called on the reactor's thread.
  ///   - onBatch: Called there after the events that came together.
  ///   - onEnd: Called there when the kernel has ended the socket; commands that wait fail.
  init(
    reactor: Reactor = .shared, onEvent: @escaping EventHandler = { _, _, _, _ in },
    onBatch: @escaping @Sendable () -> Void = {},
    onEnd: @escaping @Sendable (SystemCallError?) -> Void = { _ in }
  ) {
    self.reactor = reactor
    self.onEvent = onEvent
    self.onBatch = onBatch
    self.onEnd = onEnd
  }

  /// Opens the socket.
  func open(
    on host: any BluetoothHost, withoutReports: Bool = true
  ) async throws(SystemCallError) {
    descriptor = try await host.openControl(withoutReports: withoutReports)
    watch = onReady(descriptor, for: .readable) { session, _ in session.receive() }
  }

  /// The packets that the kernel could not deliver here.
  func drops(on host: any BluetoothHost) -> UInt64 {
    descriptor >= 0 ? host.drops(on: descriptor) : 0
  }

  /// Sends a command and waits for its answer.
  ///
  /// - Returns: The return parameters.
  @discardableResult
  func send(
    _ opcode: UInt16, to index: UInt16 = MgmtPacket.noIndex, _ parameters: [UInt8] = [],
    within limit: Duration = .seconds(5)
  ) async throws(MgmtError) -> [UInt8] {
    let packet = MgmtPacket.command(opcode, index, parameters)
    let key = Key(opcode: opcode, index: index)
    // Sent within: between lines before, the answer could come while nobody waits for it yet.
    let result: Result<[UInt8], MgmtError> = await withCheckedContinuation { continuation in
      if let reason = transmit(packet) {
        let error = MgmtError(opcode: opcode, reason: reason)
        return continuation.resume(returning: .failure(error))
      }
      count += 1
      let number = count
      let timer = schedule(after: limit) { $0.timedOut(key, number) }
      pending[key, default: []].append(
        Pending(number: number, continuation: continuation, timer: timer))
    }
    return try result.get()
  }

  /// Why that was not possible; nil when it was sent.
  private func transmit(_ packet: [UInt8]) -> MgmtError.Reason? {
    guard descriptor >= 0 else { return .closed }
    // There are kernels that answer 0 although everything was sent.
    let sent = luna_send(descriptor, packet, packet.count)
    return sent < 0 ? .call(SystemCallError("send", -sent)) : nil
  }

  /// Closes the socket; commands that wait fail.
  func close() { close(because: .closed) }

  private func close(because reason: MgmtError.Reason) {
    watch?.cancel()
    watch = nil
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
    let waiting = pending
    pending = [:]
    for (key, list) in waiting {
      for entry in list { finish(entry, .failure(MgmtError(opcode: key.opcode, reason: reason))) }
    }
  }

  private func receive() {
    while descriptor >= 0 {
      let outcome = reader.receive(from: descriptor) { bytes, time in
        guard let event = MgmtPacket.event(bytes) else { return }
        let parameters = bytes.extracting(droppingFirst: MgmtPacket.headerCount)
          .extracting(first: event.count)
        if event.code == MgmtEventCode.commandComplete || event.code == MgmtEventCode.commandStatus
        {
          answered(event.index, parameters)
        } else {
          onEvent(event.code, event.index, parameters, time)
        }
      }
      if case .packets(let count) = outcome, count == reader.batch { continue }
      if case .ended(let error) = outcome {
        onBatch()
        close(because: error.map { .call($0) } ?? .closed)
        return onEnd(error)
      }
      break
    }
    onBatch()
  }

  private func answered(_ index: UInt16, _ parameters: Span<UInt8>) {
    // opcode 2, status, return parameters
    guard parameters.count >= 3 else { return }
    let key = Key(opcode: MgmtPacket.number(parameters, 0), index: index)
    guard var list = pending[key], !list.isEmpty else { return }
    let first = list.removeFirst()
    pending[key] = list.isEmpty ? nil : list
    let status = MgmtStatus(rawValue: parameters[2])
    guard status == .success else {
      return finish(first, .failure(MgmtError(opcode: key.opcode, reason: .status(status))))
    }
    finish(first, .success((3..<parameters.count).map { parameters[$0] }))
  }

  private func timedOut(_ key: Key, _ number: Int) {
    guard let place = pending[key]?.firstIndex(where: { $0.number == number }),
      let entry = pending[key]?.remove(at: place)
    else { return }
    finish(entry, .failure(MgmtError(opcode: key.opcode, reason: .timedOut)))
  }

  private func finish(_ entry: Pending, _ result: Result<[UInt8], MgmtError>) {
    entry.timer.cancel()
    entry.continuation.resume(returning: result)
  }
}
