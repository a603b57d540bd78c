import Bluetooth
import EventLoop
import HCIHost
import PeripheralHost

/// Scans with a controller that this program has for itself: `exclusive` and `h4:`. The scan makes
/// room for links.
actor ControllerSession: ReactorActor, ScanSession, ControllerHolder {
  nonisolated let reactor: Reactor

  private let outlet: ScanOutlet
  private let access: any ControllerAccess
  private let client: ControllerClient?
  private var scanner: HCIScanner
  private var controller: HCIController?
  private var adapter: UInt16?
  private var reports: [AdvertisingReport] = []
  private var counted = SourceCounters()
  private var garbage: UInt64 = 0
  private var assembler = FragmentAssembler()
  /// Whether the controller has gone.
  private var hasEnded = false
  private var hasHeard = false
  private var isListeningOnly = false
  private var opening: CheckedContinuation<Result<Void, SourceError>, Never>?
  private var stopping: CheckedContinuation<Void, Never>?
  /// Those who want to use the controller, and until when the scan has to wait.
  private var holds = 0
  private var isPaused = false
  /// Whether nothing is to be heard for a while.
  private var isResting = false
  private var pausing: [CheckedContinuation<Void, Never>] = []

  /// - Parameter client: what connects with the controller while it is there.
  init(
    reactor: Reactor, outlet: ScanOutlet, access: any ControllerAccess,
    settings: HCIScanner.Settings,
    client: ControllerClient? = nil
  ) {
    self.reactor = reactor
    self.outlet = outlet
    self.access = access
    self.client = client
    scanner = HCIScanner(settings: settings)
  }

  func open() async throws(SourceError) -> ScanSummary {
    let controller = HCIController(try await access.open(on: reactor), on: reactor)
    adapter = await access.adapter
    self.controller = controller
    let result = await withCheckedContinuation { continuation in
      opening = continuation
      controller.assumeIsolated { $0.start(handlers) }
      perform(scanner.start())
    }
    try result.get()
    offer()
    return await summary
  }

  /// Without a pause: the controller must not go between the look and the word.
  private func offer() {
    guard !isListeningOnly, !hasEnded else { return }
    client?.assumeIsolated { $0.opened(self) }
  }

  private nonisolated var handlers: HCIController.Handlers {
    HCIController.Handlers(
      onEvent: { [weak self] bytes, time in
        self?.assumeIsolated { $0.receive(bytes, Timestamp(microseconds: time)) }
      },
      onPacket: { [weak self] in self?.assumeIsolated { $0.counted.packets &+= 1 } },
      onBatch: { [weak self] in self?.assumeIsolated { $0.deliver() } },
      onEnd: { [weak self] error in self?.assumeIsolated { $0.ended(error) } },
      isCongested: { [outlet] in outlet.queue.isCongested },
      onIdle: { [weak self] in self?.assumeIsolated { $0.resumeScan() } })
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

  private func receive(_ bytes: Span<UInt8>, _ time: Timestamp) {
    AdvertisingEventParser.parse(
      event: bytes, time: time, adapter: adapter, into: &reports, counters: &counted)
  }

  private func deliver() {
    hasHeard = hasHeard || !reports.isEmpty
    assembler.assemble(&reports, counters: &counted)
    let garbage = controller?.assumeIsolated { $0.garbage } ?? 0
    counted.damagedRecords &+= garbage &- self.garbage
    self.garbage = garbage
    let counted = counted
    outlet.push(&reports) { $0.add(counted) }
    self.counted = SourceCounters()
  }

  private func ended(_ error: SourceError?) {
    hasEnded = true
    deliver()
    client?.assumeIsolated { $0.closed(self) }
    stopped()
    paused()
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

  private func perform(_ actions: [HCIScanner.Action]) {
    for action in actions {
      switch action {
      case .send(let command): send(command)
      case .scanning: scanning()
      case .paused: paused()
      case .failed(let error): failed(error)
      case .stopped: stopped()
      }
    }
  }

  private func send(_ command: HCICommand) {
    controller?.assumeIsolated {
      $0.send(command) { [weak self] reply in self?.assumeIsolated { $0.answered(reply) } }
    }
  }

  private func answered(_ reply: HCICommandReply?) {
    perform(reply.map { scanner.receive($0) } ?? scanner.timedOut())
  }

  private func scanning() {
    if opening != nil {
      let settings = HCILinks.Settings(
        isExtended: scanner.isExtended, usesRandomAddress: scanner.usesRandomAddress,
        buffers: scanner.setup.buffers)
      controller?.assumeIsolated { $0.useLinks(settings) }
      return opened(.success(()))
    }
    // Somebody may want the controller again by now, or nobody hear anything.
    if holds > 0 || isResting { perform(scanner.pause()) } else { tellResumed() }
  }

  private func failed(_ error: SourceError) {
    paused()
    guard opening != nil else { return outlet.fault(error) }
    if hasHeard { isListeningOnly = true }
    opened(hasHeard ? .success(()) : .failure(error))
  }

  private func opened(_ result: Result<Void, SourceError>) {
    opening?.resume(returning: result)
    opening = nil
  }

  private func stopped() {
    stopping?.resume()
    stopping = nil
  }

  var isUsable: Bool {
    controller != nil && !hasEnded && opening == nil && stopping == nil && scanner.isRunning
  }

  /// Makes the scan wait until ``release()``, and longer while a link is up.
  func hold(_ reason: String) async -> HCIController? {
    guard let controller, isUsable else { return nil }
    holds += 1
    if !isPaused {
      isPaused = true
      outlet.paused(reason)
    }
    await pauseScan()
    if scanner.isPaused { return controller }
    holds -= 1
    return nil
  }

  private func pauseScan() async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      // Looked for within: between lines before, the controller could go.
      guard isUsable, !scanner.isPaused else { return continuation.resume() }
      pausing.append(continuation)
      perform(scanner.pause())
    }
  }

  private func paused() {
    let waiting = pausing
    pausing = []
    for continuation in waiting { continuation.resume() }
    resumeScan()
  }

  /// Ends what ``hold(_:)`` began.
  func release() {
    holds -= 1
    resumeScan()
  }

  private func resumeScan() {
    guard holds == 0, controller?.assumeIsolated({ $0.isIdle }) == true else { return }
    if isResting { tellResumed() } else { perform(scanner.resume()) }
  }

  private func tellResumed() {
    guard isPaused else { return }
    isPaused = false
    outlet.resumed()
  }

  func pause() async {
    isResting = true
    // What only sends cannot be told to be silent.
    guard controller != nil, opening == nil, stopping == nil, scanner.isRunning else { return }
    await pauseScan()
  }

  func resume() async throws(SourceError) {
    isResting = false
    resumeScan()
  }

  func close() async {
    await client?.closed(self)
    guard let controller else { return await access.close() }
    await controller.disconnectAll(within: .seconds(2))
    await withCheckedContinuation { continuation in
      stopping = continuation
      perform(scanner.stop())
    }
    paused()
    await controller.close()
    self.controller = nil
    assembler.finish(counters: &counted)
    deliver()
    await access.close()
  }
}
