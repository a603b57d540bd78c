import CLinux
import EventLoop
import Glibc

/// A socket to the kernel's Bluetooth management: commands with their answers, and events.
actor MgmtSocket {
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

  private let reactor: Reactor
  nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }

  private let reader = PacketReader(slot: 4096, count: 16)
  private var descriptor: Int32 = -1
  private var watch: ReactorWatch?
  private var pending: [Key: [Pending]] = [:]
  private var count = 0
  private let onEvent: EventHandler
  private let onBatch: @Sendable () -> Void

  /// - Parameters:
  ///   - onEvent: Called on the reactor's thread.
  ///   - onBatch: Called there after the events that came together.
  init(
    reactor: Reactor = .shared, onEvent: @escaping EventHandler = { _, _, _, _ in },
    onBatch: @escaping @Sendable () -> Void = {}
  ) {
    self.reactor = reactor
    self.onEvent = onEvent
    self.onBatch = onBatch
  }

  /// Opens the socket.
  func open(on host: any BluetoothHost, withoutReports: Bool = true) throws(SystemCallError) {
    descriptor = try host.openControl(withoutReports: withoutReports)
    watch = reactor.watch(descriptor, for: .readable) { [weak self] _ in
      self?.assumeIsolated { $0.receive() }
    }
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
    guard descriptor >= 0 else { throw MgmtError(opcode: opcode, reason: .closed) }
    let packet = MgmtPacket.command(opcode, index, parameters)
    // There are kernels that answer 0 although everything was sent.
    let sent = luna_send(descriptor, packet, packet.count)
    if sent < 0 {
      throw MgmtError(opcode: opcode, reason: .call(SystemCallError("send", -sent)))
    }
    count += 1
    let number = count
    let key = Key(opcode: opcode, index: index)
    let result = await withCheckedContinuation { continuation in
      let timer = reactor.schedule(after: limit) { [weak self] in
        self?.assumeIsolated { $0.timedOut(key, number) }
      }
      pending[key, default: []].append(
        Pending(number: number, continuation: continuation, timer: timer))
    }
    return try result.get()
  }

  /// Closes the socket; commands that wait fail.
  func close() {
    watch?.cancel()
    watch = nil
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
    let waiting = pending
    pending = [:]
    for (key, list) in waiting {
      for entry in list { finish(entry, .failure(MgmtError(opcode: key.opcode, reason: .closed))) }
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
