import Bluetooth
import EventLoop

/// The shell around an ``ATTServer``: a link of a peer that has connected to a controller of ours.
actor ServedLink: ReactorActor, ATTBearerOwner {
  /// How long a peer may take to confirm what was indicated before it is disconnected.
  private static let farewellLimit = Duration.seconds(2)

  nonisolated let reactor: Reactor

  /// What the owner of the services knows it by.
  nonisolated let link: PeripheralLink
  private let bearer: any ATTBearer
  private let onLink: AdvertisingRadio.LinkHandler
  private var server: ATTServer
  private var timer: ReactorTimer?
  private var farewell: ReactorTimer?

  init(
    _ link: PeripheralLink, bearer: any ATTBearer, services: [GATTService], reactor: Reactor,
    onLink: @escaping AdvertisingRadio.LinkHandler
  ) {
    self.link = link
    self.bearer = bearer
    self.reactor = reactor
    self.onLink = onLink
    server = ATTServer(services)
  }

  /// Begins to serve.
  func start(_ peer: GATTPeer) {
    onLink(.connected(peer.address), link)
    bearer.start(self)
  }

  // MARK: The peer

  nonisolated func received(_ pdu: [UInt8]) {
    assumeIsolated { $0.perform($0.server.receive(pdu)) }
  }

  nonisolated func bearerIsReady() {}

  nonisolated func bearerEnded(_ error: GATTError) { assumeIsolated { $0.ended() } }

  private func ended() {
    timer?.cancel()
    farewell?.cancel()
    onLink(.disconnected, link)
  }

  // MARK: The owner of the services

  func respond(_ response: GATTResponse) { perform(server.respond(response)) }

  func indicate(_ value: [UInt8], of characteristic: BluetoothUUID) {
    perform(server.indicate(characteristic, value))
  }

  /// Ends the link once what was indicated is confirmed.
  func finish() {
    farewell?.cancel()
    farewell = schedule(after: ServedLink.farewellLimit) { $0.bearer.close() }
    perform(server.finish())
  }

  private func perform(_ actions: [ATTServerAction]) {
    for action in actions {
      switch action {
      case .send(let pdu): bearer.send(pdu)
      case .mtu(let mtu): onLink(.mtu(mtu), link)
      case .read(let characteristic, let offset):
        onLink(.read(characteristic, offset: offset), link)
      case .write(let characteristic, let value): onLink(.write(characteristic, value), link)
      case .startTimer:
        timer?.cancel()
        timer = schedule(after: ATTServer.confirmationLimit) {
          $0.perform($0.server.confirmationTimedOut())
        }
      case .stopTimer:
        timer?.cancel()
        timer = nil
      case .end: bearer.close()
      }
    }
  }
}
