import Bluetooth
import EventLoop

/// Advertises with a controller that this program has for itself: `exclusive` and `h4:`.
actor ControllerAdvertiser: AdvertisingRadio {
  private let reactor: Reactor
  nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }

  private let access: any ControllerSession.Access
  private let path: String
  private var controller: HCIController?
  private var commands = AdvertisingCommands(isExtended: false)
  private var fault: SourceError?
  /// What is sent, by number.
  private var onAir: [Int: Advertisement] = [:]
  /// Whether an advertisement is being changed.
  private var isBusy = false

  init(reactor: Reactor, access: any ControllerSession.Access, path: String) {
    self.reactor = reactor
    self.access = access
    self.path = path
  }

  // MARK: Start

  func open(count: Int) async throws(SourceError) -> AdvertiserSummary {
    let controller = HCIController(try await access.open(on: reactor), on: reactor)
    self.controller = controller
    await controller.start(handlers)
    do throws(SourceError) {
      let sets = try await prepare()
      guard count <= sets else {
        throw SourceError(
          .invalid,
          "\(await access.name) can send \(sets) advertisement\(sets == 1 ? "" : "s") "
            + "at a time, not \(count)", hint: "run fewer trackers on it")
      }
    } catch {
      await close()
      throw error
    }
    let name = await access.name
    return AdvertiserSummary(
      name: name.hasPrefix(path) ? name : "\(path):\(name)",
      explanation: "advertising with \(name), which no other program uses, by "
        + "\(commands.isExtended ? "extended" : "legacy") commands",
      deviations: ["there is no GATT server: connections are ended at once"])
  }

  private nonisolated var handlers: HCIController.Handlers {
    HCIController.Handlers(
      onEvent: { [weak self] bytes, _ in
        guard bytes.count > 0, bytes[0] == HCIEventCode.disconnectionComplete else { return }
        self?.assumeIsolated { $0.resumeAdvertising() }
      },
      onEnd: { [weak self] error in
        self?.assumeIsolated {
          $0.fault = error ?? SourceError(.lost, "the controller closed the connection")
        }
      },
      // There is nothing to be read here, so the link is ended.
      onPeer: { $0.close() })
  }

  /// Brings the controller from whatever state it is in to one in which it can advertise.
  ///
  /// - Returns: how many advertisements it sends side by side.
  private func prepare() async throws(SourceError) -> Int {
    let setup = try await setUp()
    commands = AdvertisingCommands(isExtended: setup.hasExtendedAdvertising)
    let settings = HCILinks.Settings(
      isExtended: commands.isExtended, usesRandomAddress: true, acceptsPeers: true,
      buffers: setup.buffers)
    await controller?.useLinks(settings, tellsAdvertisingSets: settings.isExtended)
    guard commands.isExtended else { return 1 }
    let sets = try await send(HCICommand(HCIOpcode.leReadNumberOfAdvertisingSets))
    return sets.status == .success ? max(1, Int(sets.parameters.first ?? 1)) : 1
  }

  private func setUp() async throws(SourceError) -> ControllerSetup {
    var setup = ControllerSetup()
    var action: ControllerSetup.Action? = setup.start()
    while true {
      switch action {
      case .ready, nil: return setup
      case .failed(let error): throw fault ?? error
      case .send(let command):
        let reply = await controller?.send(command)
        action = if let reply { setup.receive(reply) } else { setup.timedOut() }
      }
    }
  }

  // MARK: Advertisements

  func advertise(_ advertisement: Advertisement, as number: Int) async throws(SourceError) {
    isBusy = true
    defer { isBusy = false }
    if onAir[number] != nil { _ = try await send(commands.stop(number)) }
    for command in commands.set(advertisement, number) { try await require(command) }
    try await require(commands.start(number))
    onAir[number] = advertisement
  }

  func close() async {
    guard let controller else { return await access.close() }
    await controller.disconnectAll(within: .seconds(2))
    for number in onAir.keys.sorted() where fault == nil {
      _ = try? await send(commands.stop(number))
    }
    onAir = [:]
    self.controller = nil
    await controller.close()
    await access.close()
  }

  // MARK: Commands and events

  private func require(_ command: HCICommand) async throws(SourceError) {
    let reply = try await send(command)
    guard reply.status == .success else {
      throw SourceError(
        .lost,
        "the controller refuses command 0x\(Hex.upper(UInt8(command.opcode >> 8)))"
          + "\(Hex.upper(UInt8(truncatingIfNeeded: command.opcode))): \(reply.status)",
        hint: "plug it in again, or reset it")
    }
  }

  private func send(_ command: HCICommand) async throws(SourceError) -> HCICommandReply {
    if let fault { throw fault }
    guard let reply = await controller?.send(command) else {
      throw fault
        ?? SourceError(
          .lost, "the controller does not answer",
          hint: "check that it speaks H4 and, on a serial line, the speed and flow control")
    }
    return reply
  }

  /// A connection ended, for which the controller had stopped to advertise.
  private func resumeAdvertising() {
    // While an advertisement is being set it is started anyway.
    guard !isBusy else { return }
    for (number, advertisement) in onAir where advertisement.pdu == .advInd {
      let command = commands.start(number)
      controller?.assumeIsolated { $0.send(command) { _ in } }
    }
  }
}
