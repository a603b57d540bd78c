import UplinkProtocol

/// A localization with two servers of ours, on a thread that may wait.
struct LocateRun {
  /// How many controls alone tell what is usual.
  static let usual = 21

  /// The servers.
  let clients: [PairClient]
  let profile: BuiltInProfile
  let tally: SlotTally
  let tell: @Sendable (PairLocator.Moment) -> Void

  /// In which order the servers are entered: one for all who name them, else two would wait for each other.
  var order: [Int] {
    clients.indices.sorted { first, second in
      let places = (clients[first].place, clients[second].place)
      return (places.0.address.text, places.0.session.port)
        < (places.1.address.text, places.1.session.port)
    }
  }

  /// Makes the blocks.
  ///
  /// - Parameter verdict: what a check says of both servers.
  func run(
    _ verdict: FairnessVerdict, seed: UInt64, _ waiting: SocketWait
  ) throws(ReplayError) -> LocateFinding {
    var held: [Int: HostLink] = [:]
    defer { for link in held.values { tally.add(link.spent()) } }
    var bytes = Int.max
    let order = order
    while held.count < order.count {
      let index = order[held.count]
      let (link, most, hasWaited) = try begin(clients[index], flows: LocateBlocks.flows, waiting)
      held[index] = link
      bytes = min(bytes, most)
      guard hasWaited, held.count > 1 else { continue }
      // Who waits for one server says nothing to the other one, which ends that after a minute: it begins anew.
      for link in held.values {
        link.leave()
        tally.add(link.spent())
      }
      held = [:]
    }
    let links = clients.indices.compactMap { held[$0] }
    var blocks = LocateBlocks(verdict, seed: seed)
    var counts = [Int](repeating: 0, count: links.count)
    while let run = blocks.next() {
      tell(.run(run, share: blocks.share))
      var orders: [(server: Int, order: SlotOrder)] = []
      for server in run.servers {
        counts[server] += 1
        orders.append((server, SlotOrder(counts[server], run.kind, .up, bytes: bytes)))
      }
      let group = try flows(orders, links, waiting)
      let said = links.reduce(0) { $0 + $1.spent() }
      tally.add(said)
      blocks.take(group, said: said)
    }
    for link in links { link.leave() }
    do throws(StatisticsError) {
      return try blocks.finding()
    } catch {
      throw ReplayError(error)
    }
  }

  /// Measures what controls usually differ by, percent, with the first server.
  ///
  /// - Returns: that, and how many bytes it took.
  func variations(
    _ waiting: SocketWait
  ) throws(ReplayError) -> (values: [Double], bytes: Int) {
    let (link, bytes, _) = try begin(clients[0], flows: LocateRun.usual, waiting)
    defer { tally.add(link.spent()) }
    var (rates, sent): ([Double], Int) = ([], 0)
    for number in 1...LocateRun.usual {
      tell(.run(.control, share: Double(number - 1) / Double(LocateRun.usual)))
      let order = SlotOrder(number, .control, .up, bytes: bytes)
      let group = try flows([(0, order)], [link], waiting)
      let said = link.spent()
      tally.add(said)
      sent += group.bytes + said
      if let rate = group.rate { rates.append(rate) }
    }
    link.leave()
    return (ThroughputVariation.variations(of: rates), sent)
  }

  /// - Returns: a side channel, how many bytes a flow may have, and whether others were first.
  private func begin(
    _ client: PairClient, flows: Int, _ waiting: SocketWait
  ) throws(ReplayError) -> (link: HostLink, bytes: Int, hasWaited: Bool) {
    let bytes = max(PairRun.least, client.budget / flows)
    let hello = SessionRequest.hello(
      version: 1, profile: profile.rawValue, direction: SlotDirection.up.rawValue, pairs: flows,
      slotBytes: bytes, slotSeconds: 1.5)
    var hasWaited = false
    let (link, most) = try HostLink.begin(client, profile, hello, waiting) { moment in
      guard case .queued(let place) = moment else { return }
      hasWaited = true
      tell(.queued(place: place))
    }
    return (link, min(bytes, max(PairRun.least, most / flows)), hasWaited)
  }

  private func flows(
    _ orders: [(server: Int, order: SlotOrder)], _ links: [HostLink], _ waiting: SocketWait
  ) throws(ReplayError) -> FlowGroup {
    var uploads: [SlotBundle.Upload] = []
    for (server, order) in orders {
      let client = clients[server]
      uploads.append(
        SlotBundle.Upload(
          place: client.place, token: try links[server].token(for: order),
          name: client.name(of: order.kind, profile), bytes: order.bytes))
    }
    tally.begin(orders.count)
    let group = try SlotBundle(uploads: uploads, waiting: waiting, tally: tally).run()
    for (server, order) in orders { try links[server].end(order.number) }
    return group
  }
}
