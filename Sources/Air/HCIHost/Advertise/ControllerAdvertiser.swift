package import Bluetooth
import Diagnosis
package import EventLoop
import PeripheralHost

/// Advertises with a controller that this program has for itself, and serves whoever connects:
/// `exclusive` and `h4:`.
package actor ControllerAdvertiser: ReactorActor, AdvertisingRadio {
  /// Generic Tag (Assigned Numbers, 2.6.2), the same for all.
  private static let appearance: UInt16 = 0x0200

  package nonisolated let reactor: Reactor

  private let access: any ControllerAccess
  private let path: String
  private let turns = Turns()
  private var controller: HCIController?
  private var commands = AdvertisingCommands(isExtended: false)
  private var fault: SourceError?
  private var links: ServedLinks?
  private var count = 1
  /// What is to be sent, by number.
  private var wanted: [Int: Advertisement] = [:]
  /// What is sent, as far as this side knows: a connection ends it.
  private var onAir: Set<Int> = []

  package init(reactor: Reactor, access: any ControllerAccess, path: String) {
    self.reactor = reactor
    self.access = access
    self.path = path
  }

  // MARK: Start

  package func open(
    count: Int, serving services: [GATTService],
    onLink: @escaping AdvertisingRadio.LinkHandler
  ) async throws(SourceError) -> AdvertiserSummary {
    let controller = HCIController(try await access.open(on: reactor), on: reactor)
    self.controller = controller
    self.count = count
    links = ServedLinks(
      reactor: reactor,
      services: GATTService.required(name: "Luna", appearance: ControllerAdvertiser.appearance)
        + services
    ) { [weak self] event, link in
      onLink(event, link)
      if event == .disconnected { self?.assumeIsolated { $0.speakAgain() } }
    }
    await controller.start(handlers)
    let name = await access.name
    do throws(SourceError) {
      let sets = try await prepare(controller)
      guard count <= sets else {
        throw SourceError(
          .invalid,
          "\(name) can send \(sets) advertisement\(sets == 1 ? "" : "s") "
            + "at a time, not \(count)", remedy: "run fewer trackers on it")
      }
    } catch {
      await close()
      throw error
    }
    return AdvertiserSummary(
      name: name.hasPrefix(path) ? name : "\(path):\(name)",
      explanation: "advertising with \(name), which no other program uses, by "
        + "\(commands.isExtended ? "extended" : "legacy") commands, and serving GATT")
  }

  private nonisolated var handlers: HCIController.Handlers {
    HCIController.Handlers(
      onEnd: { [weak self] error in self?.assumeIsolated { $0.fail(error) } },
      onPeer: { [weak self] bearer in self?.assumeIsolated { $0.accepted(bearer) } })
  }

  /// Brings the controller from whatever state it is in to one in which it can advertise.
  ///
  /// - Returns: how many advertisements it sends side by side.
  private func prepare(_ controller: HCIController) async throws(SourceError) -> Int {
    var setup = ControllerSetup()
    var action = setup.start()
    while case .send(let command) = action {
      let reply = await controller.send(command)
      if let fault { throw fault }
      // An answer that is none of this command is not waited for any longer.
      action =
        (reply.map { setup.receive($0) } ?? setup.timedOut())
        ?? .failed(.silent(command.opcode))
    }
    if case .failed(let fault) = action { throw SourceError(fault) }
    commands = AdvertisingCommands(isExtended: setup.hasExtendedAdvertising)
    let settings = HCILinks.Settings(
      isExtended: setup.hasExtendedAdvertising, usesRandomAddress: true, acceptsPeers: true,
      buffers: setup.buffers)
    await controller.useLinks(settings, tellsAdvertisingSets: settings.isExtended)
    guard setup.hasExtendedAdvertising else { return 1 }
    let sets = try await send(HCICommand(HCIOpcode.leReadNumberOfAdvertisingSets))
    return sets.status == .success ? max(1, Int(sets.parameters.first ?? 1)) : 1
  }

  // MARK: Advertisements

  package func advertise(_ advertisement: Advertisement, as number: Int) async throws(SourceError) {
    await turns.begin()
    defer { turns.end() }
    wanted[number] = advertisement
    try await speak(advertisement, number)
  }

  package func silence(_ number: Int) async throws(SourceError) {
    await turns.begin()
    defer { turns.end() }
    wanted[number] = nil
    if onAir.remove(number) != nil { _ = try await send(commands.stop(number)) }
  }

  /// While somebody is connected a controller may be unable to advertise as well; then it is tried
  /// again afterwards.
  private func speak(_ advertisement: Advertisement, _ number: Int) async throws(SourceError) {
    if onAir.remove(number) != nil { _ = try await send(commands.stop(number)) }
    for command in commands.set(advertisement, number) + [commands.start(number)] {
      guard try await carriesOut(command) else { return }
    }
    onAir.insert(number)
  }

  /// Whether a command was carried out; it may be refused only while somebody is connected.
  private func carriesOut(_ command: HCICommand) async throws(SourceError) -> Bool {
    let mayBeRefused = hasLinks
    let reply = try await send(command)
    guard reply.status != .success else { return true }
    // Somebody may have connected while it was on its way.
    guard mayBeRefused || hasLinks else {
      throw SourceError(.refused(command.opcode, reply.status))
    }
    return false
  }

  private var hasLinks: Bool { controller.map { $0.assumeIsolated { !$0.isIdle } } ?? false }

  /// A connection ended: what it has ended, or kept from beginning, begins.
  private func speakAgain() {
    Task {
      await turns.begin()
      defer { turns.end() }
      for (number, advertisement) in wanted where !onAir.contains(number) {
        // Where it is refused now, the next change tells.
        try? await speak(advertisement, number)
      }
    }
  }

  // MARK: Links

  private func accepted(_ bearer: HCILinkBearer) {
    // With one advertisement there is no doubt; legacy commands know no more than one.
    guard let number = count == 1 ? 0 : bearer.advertisingSet.map({ Int($0) }) else {
      return bearer.close()
    }
    onAir.remove(number)
    links?.assumeIsolated { $0.add(bearer, to: number) }
  }

  package func respond(_ response: GATTResponse, on link: PeripheralLink) async {
    await links?[link]?.respond(response)
  }

  package func indicate(
    _ value: [UInt8], of characteristic: BluetoothUUID, on link: PeripheralLink
  ) async {
    await links?[link]?.indicate(value, of: characteristic)
  }

  package func disconnect(_ link: PeripheralLink) async {
    await links?[link]?.finish()
  }

  // MARK: The end

  package func close() async {
    guard let controller else { return await access.close() }
    wanted = [:]
    for number in onAir.sorted() where fault == nil {
      _ = try? await send(commands.stop(number))
    }
    onAir = []
    await controller.disconnectAll(within: .seconds(2))
    self.controller = nil
    await controller.close()
    await access.close()
  }

  private func send(_ command: HCICommand) async throws(SourceError) -> HCICommandReply {
    if let fault { throw fault }
    guard let controller else { throw SourceError(.lost, "the controller is gone") }
    guard let reply = await controller.send(command) else {
      throw fault ?? SourceError(.silent(command.opcode))
    }
    return reply
  }

  private func fail(_ error: SourceError?) {
    fault = fault ?? error ?? SourceError(.lost, "the controller closed the connection")
  }
}
