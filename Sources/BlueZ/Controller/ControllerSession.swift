import Bluetooth
import EventLoop

/// Scans with a controller that this program has for itself: `exclusive` and `h4:`.
actor ControllerSession: ScanSession {
  /// Opens the way to the controller.
  protocol Access: Sendable {
    /// Hands over a controller that nobody else uses.
    func open(on reactor: Reactor) async throws(SourceError) -> sending HCIChannel
    /// Called after the channel was closed.
    func close() async
    /// N of hciN; nil when the kernel has no part in it.
    var adapter: UInt16? { get async }
    /// `hci0` or where the controller is.
    var name: String { get async }
  }

  /// How long a controller may take to answer.
  private static let answerLimit = Duration.seconds(3)

  private let reactor: Reactor
  nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }

  private let outlet: ScanOutlet
  private let access: any Access
  private var scanner: HCIScanner
  private var channel: HCIChannel?
  private var adapter: UInt16?
  private var reports: [AdvertisingReport] = []
  private var counted = SourceCounters()
  private var garbage: UInt64 = 0
  private var assembler = FragmentAssembler()
  private var hasHeard = false
  private var isListeningOnly = false
  private var timer: ReactorTimer?
  private var opening: CheckedContinuation<Result<Void, SourceError>, Never>?
  private var stopping: CheckedContinuation<Void, Never>?

  init(
    reactor: Reactor, outlet: ScanOutlet, access: any Access, settings: HCIScanner.Settings
  ) {
    self.reactor = reactor
    self.outlet = outlet
    self.access = access
    scanner = HCIScanner(settings: settings)
  }

  func open() async throws(SourceError) -> ScanSummary {
    let channel = try await access.open(on: reactor)
    adapter = await access.adapter
    take(channel)
    let result = await withCheckedContinuation { continuation in
      opening = continuation
      channel.resume()
      perform(scanner.start())
    }
    try result.get()
    return await summary
  }

  private func take(_ channel: HCIChannel) {
    self.channel = channel
    channel.onPacket = { [unowned self] type, bytes, time in
      assumeIsolated { $0.receive(type, bytes, Timestamp(microseconds: time)) }
    }
    channel.onBatch = { [unowned self] in assumeIsolated { $0.deliver() } }
    channel.onEnd = { [unowned self] error in assumeIsolated { $0.ended(error) } }
    channel.isCongested = { [outlet] in outlet.queue.isCongested }
  }

  private var summary: ScanSummary {
    get async {
      let name = await access.name
      return ScanSummary(name: name, clause: clause(name))
    }
  }

  private func clause(_ name: String) -> String {
    if isListeningOnly { return "listening to \(name), which answers no commands" }
    let phys = [scanner.scans1M ? "1M" : nil, scanner.scansCoded ? "Coded" : nil]
    return
      "scanning \(scanner.isActive ? "actively" : "passively") with \(name), which no other program "
      + "uses, by \(scanner.isExtended ? "extended" : "legacy") commands on LE "
      + phys.compactMap(\.self).joined(separator: " and ")
  }

  // MARK: What the controller sends

  private func receive(_ type: HCIPacketType, _ bytes: Span<UInt8>, _ time: Timestamp) {
    counted.packets &+= 1
    guard type == .event, bytes.count >= 2 else { return }
    switch bytes[0] {
    case HCIEventCode.leMeta:
      AdvertisingEventParser.parse(
        event: bytes, time: time, adapter: adapter, into: &reports, counters: &counted)
    case HCIEventCode.commandComplete, HCIEventCode.commandStatus:
      if let reply = HCICommandReply(event: bytes) { perform(scanner.receive(reply)) }
    case HCIEventCode.hardwareError:
      ended(SourceError(.lost, "the controller reports a fault of its hardware"))
    default: break
    }
  }

  private func deliver() {
    hasHeard = hasHeard || !reports.isEmpty
    assembler.assemble(&reports, counters: &counted)
    let garbage = channel?.garbage ?? 0
    counted.damagedRecords &+= garbage &- self.garbage
    self.garbage = garbage
    let counted = counted
    outlet.push(&reports) { $0.add(counted) }
    self.counted = SourceCounters()
  }

  private func ended(_ error: SourceError?) {
    timer?.cancel()
    deliver()
    stopping?.resume()
    stopping = nil
    if error == nil && (isListeningOnly || hasHeard && opening != nil) {
      // A recording, or a sender that only sends: it has come to its end.
      isListeningOnly = true
      opened(.success(()))
      outlet.ended()
    } else {
      let error = error ?? SourceError(.lost, "the controller closed the connection")
      if opening != nil { opened(.failure(error)) } else { outlet.fault(error) }
    }
  }

  // MARK: What the scanner wants

  private func perform(_ actions: [HCIScanner.Action]) {
    for action in actions {
      timer?.cancel()
      timer = nil
      switch action {
      case .send(let command): send(command)
      case .scanning: opened(.success(()))
      case .failed(let error):
        if hasHeard && opening != nil {
          isListeningOnly = true
          opened(.success(()))
        } else {
          opened(.failure(error))
        }
      case .stopped:
        stopping?.resume()
        stopping = nil
      }
    }
  }

  private func send(_ command: HCICommand) {
    do throws(SourceError) {
      try channel?.send(command.h4Packet)
    } catch {
      return ended(error)
    }
    timer = reactor.schedule(after: ControllerSession.answerLimit) { [weak self] in
      self?.assumeIsolated { $0.timedOut() }
    }
  }

  private func timedOut() {
    timer = nil
    perform(scanner.timedOut())
  }

  private func opened(_ result: Result<Void, SourceError>) {
    opening?.resume(returning: result)
    opening = nil
  }

  // MARK: The end

  func close() async {
    guard let channel else { return await access.close() }
    await withCheckedContinuation { continuation in
      stopping = continuation
      perform(scanner.stop())
    }
    timer?.cancel()
    channel.close()
    self.channel = nil
    assembler.finish(counters: &counted)
    deliver()
    await access.close()
  }
}
