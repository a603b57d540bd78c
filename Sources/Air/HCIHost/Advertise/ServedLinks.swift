import Bluetooth
import EventLoop

/// Whoever has connected to a controller of ours: at most one peer for each advertisement.
actor ServedLinks: ReactorActor {
  nonisolated let reactor: Reactor

  private let services: [GATTService]
  private let onLink: AdvertisingRadio.LinkHandler
  private var links: [Int: ServedLink] = [:]
  private var serial: UInt64 = 0

  /// - Parameter onLink: gets what happens on the links, on the reactor's thread.
  init(
    reactor: Reactor, services: [GATTService], onLink: @escaping AdvertisingRadio.LinkHandler
  ) {
    self.reactor = reactor
    self.services = services
    self.onLink = onLink
  }

  /// A peer has connected.
  ///
  /// - Parameter number: the advertisement that it has answered.
  func add(_ bearer: HCILinkBearer, to number: Int) {
    // Who comes second goes.
    guard links[number] == nil else { return bearer.close() }
    serial += 1
    let link = PeripheralLink(number: number, serial: serial)
    let served = ServedLink(link, bearer: bearer, services: services, reactor: reactor) {
      [weak self] event, link in
      self?.assumeIsolated { $0.tell(event, link) }
    }
    links[number] = served
    served.assumeIsolated { $0.start(bearer.peer) }
  }

  private func tell(_ event: PeripheralEvent, _ link: PeripheralLink) {
    if event == .disconnected { links[link.number] = nil }
    onLink(event, link)
  }

  /// The link, while it is up.
  subscript(link: PeripheralLink) -> ServedLink? {
    links[link.number].flatMap { $0.link == link ? $0 : nil }
  }
}
