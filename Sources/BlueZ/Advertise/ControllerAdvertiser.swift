import Bluetooth
import EventLoop

/// Advertises with a controller that this program has for itself: `exclusive` and `h4:`.
actor ControllerAdvertiser: AdvertisingRadio {
  private static let answerLimit = Duration.seconds(3)

  private let reactor: Reactor
  nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }

  private let access: any ControllerSession.Access
  private let path: String
  private var channel: HCIChannel?
  private var commands = AdvertisingCommands(isExtended: false)
  private var awaited: (opcode: UInt16, CheckedContinuation<HCICommandReply?, Never>)?
  private var timer: ReactorTimer?
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

  func open(
    count: Int, serving services: [GATTService],
    onLink: @escaping AdvertisingRadio.LinkHandler
  ) async throws(SourceError) -> AdvertiserSummary {
    take(try await access.open(on: reactor))
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

  private func take(_ channel: HCIChannel) {
    self.channel = channel
    channel.onPacket = { [unowned self] type, bytes, _ in
      assumeIsolated { $0.receive(type, bytes) }
    }
    channel.onEnd = { [unowned self] error in
      assumeIsolated {
        $0.fail(error ?? SourceError(.lost, "the controller closed the connection"))
      }
    }
    channel.resume()
  }

  /// Brings the controller from whatever state it is in to one in which it can advertise.
  ///
  /// - Returns: how many advertisements it sends side by side.
  private func prepare() async throws(SourceError) -> Int {
    try await require(HCICommand(HCIOpcode.reset))
    let features = try await send(HCICommand(HCIOpcode.readLocalFeatures))
    let supported = try await send(HCICommand(HCIOpcode.readLocalCommands)).parameters
    func supports(_ octet: Int, _ bit: Int) -> Bool {
      octet < supported.count && supported[octet] & 1 << bit != 0
    }
    // The default events, and LE Meta (bit 61).
    _ = try await send(
      HCICommand(HCIOpcode.setEventMask, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 0x00, 0x20]))
    // A controller with BR/EDR keeps LE off until the host says that it can.
    let isDualMode = features.parameters.count >= 5 && features.parameters[4] & 1 << 5 == 0
    if isDualMode, supports(24, 6) {
      _ = try await send(HCICommand(HCIOpcode.writeLEHostSupport, [0x01, 0x00]))
    }
    // The five events of Bluetooth 4.0.
    try await require(HCICommand(HCIOpcode.leSetEventMask, [0x1F, 0, 0, 0, 0, 0, 0, 0]))
    // Octet 36, bits 1 to 5: random address, parameters, data, scan response data, enable.
    let isExtended = (1...5).allSatisfy { supports(36, $0) }
    commands = AdvertisingCommands(isExtended: isExtended)
    guard isExtended else { return 1 }
    let sets = try await send(HCICommand(HCIOpcode.leReadNumberOfAdvertisingSets))
    return sets.status == .success ? max(1, Int(sets.parameters.first ?? 1)) : 1
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

  func respond(_ response: GATTResponse, on link: PeripheralLink) async {}

  func indicate(
    _ value: [UInt8], of characteristic: BluetoothUUID, on link: PeripheralLink
  ) async {}

  func disconnect(_ link: PeripheralLink) async {}

  func close() async {
    guard let channel else { return await access.close() }
    for number in onAir.keys.sorted() where fault == nil {
      _ = try? await send(commands.stop(number))
    }
    onAir = [:]
    self.channel = nil
    channel.close()
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
    try channel?.send(command.h4Packet)
    let reply = await withCheckedContinuation { continuation in
      awaited = (command.opcode, continuation)
      timer = reactor.schedule(after: ControllerAdvertiser.answerLimit) { [weak self] in
        self?.assumeIsolated { $0.answer(nil) }
      }
    }
    guard let reply else {
      throw fault
        ?? SourceError(
          .lost, "the controller does not answer",
          hint: "check that it speaks H4 and, on a serial line, the speed and flow control")
    }
    return reply
  }

  private func answer(_ reply: HCICommandReply?) {
    timer?.cancel()
    timer = nil
    awaited?.1.resume(returning: reply)
    awaited = nil
  }

  private func fail(_ error: SourceError) {
    fault = fault ?? error
    answer(nil)
  }

  private func receive(_ type: HCIPacketType, _ bytes: Span<UInt8>) {
    guard type == .event, bytes.count >= 3 else { return }
    switch bytes[0] {
    case HCIEventCode.commandComplete, HCIEventCode.commandStatus:
      guard let reply = HCICommandReply(event: bytes), reply.isComplete,
        reply.opcode == awaited?.opcode
      else { return }
      answer(reply)
    case HCIEventCode.leMeta: connected(bytes)
    case HCIEventCode.disconnectionComplete: resumeAdvertising()
    case HCIEventCode.hardwareError:
      fail(SourceError(.lost, "the controller reports a fault of its hardware"))
    default: break
    }
  }

  /// Somebody connected: there is nothing to be read here, so the link is ended.
  private func connected(_ bytes: Span<UInt8>) {
    // event code, length, subevent, status, handle 2
    guard bytes.count >= 6, bytes[3] == 0,
      [HCIEventCode.leConnectionComplete, HCIEventCode.leEnhancedConnectionComplete]
        .contains(bytes[2])
    else { return }
    // Reason: the remote user ended it (0x13).
    try? channel?.send(HCICommand(HCIOpcode.disconnect, [bytes[4], bytes[5], 0x13]).h4Packet)
  }

  /// A connection ended, for which the controller had stopped to advertise.
  private func resumeAdvertising() {
    // While an advertisement is being set it is started anyway.
    guard !isBusy else { return }
    for (number, advertisement) in onAir where advertisement.pdu == .advInd {
      try? channel?.send(commands.start(number).h4Packet)
    }
  }
}
