import LunaJSON

/// The sessions of a server of ours as a machine (UPLINK.md, 7): who runs, who waits, and which slots may be made. It
/// opens nothing itself, and takes the time as s from whenever.
package struct UplinkHost: Sendable {
  /// What is to be done.
  package enum Action: Hashable, Sendable {
    /// Say something to a client.
    case say(Int, SessionReply)
    /// Say to a client what was measured of a slot.
    case tell(Int, slot: Int)
    /// End the connection of a client, behind what it is to be told.
    case end(Int)
  }

  /// A slot for which somebody has come.
  package struct Claim: Hashable, Sendable {
    /// The session that it belongs to.
    package let session: Int
    /// What was asked for.
    package let order: SlotOrder
    /// Whether it is one of `luna-command`: small requests, each with an answer.
    package let hasCommands: Bool
  }

  private enum State {
    case new, waiting, running
  }

  private struct Session {
    let token: String
    let address: String
    let cut: String
    /// Whether its slots are those of `luna-command`.
    var hasCommands = false
    var state = State.new
    /// When the present state began, and when the client last said something.
    var began: Double
    var heard: Double
    var used = 0
    var last = 0
  }

  private struct Ticket {
    let claim: Claim
    let expiry: Double
  }

  private static let version = 1
  private static let day = 86_400.0
  /// What a session takes, for who waits, s.
  private static let usual = 60

  private let limits: HostLimits
  private let makeToken: @Sendable () -> String
  private var sessions: [Int: Session] = [:]
  private var queue: [Int] = []
  private var tickets: [String: Ticket] = [:]
  /// What the sessions of each token have used, and since when.
  private var spent: [String: (since: Double, bytes: Int)] = [:]
  private var count = 0
  /// What all sessions together may have now, bytes, and since when that is so: a second's worth at most.
  private var bucket: (bytes: Double, since: Double)?
  /// The slots that wait for it.
  private var delayed: [(id: Int, order: SlotOrder)] = []

  /// A server without any session.
  ///
  /// - Parameter makeToken: makes 16 random bytes, as a word that nobody can guess.
  package init(_ limits: HostLimits = HostLimits(), makeToken: @escaping @Sendable () -> String) {
    self.limits = limits
    self.makeToken = makeToken
  }

  /// How many sessions run.
  package var running: Int { sessions.values.count { $0.state == .running } }

  /// Somebody has opened a side channel.
  ///
  /// - Parameters:
  ///   - token: who: a key, not the token itself.
  ///   - address: from where; only the cut one is told.
  /// - Returns: the session; nil where there are too many already.
  package mutating func open(
    token: String, address: String, cut: String, at time: Double
  ) -> Int? {
    guard sessions.count < limits.running + limits.waiting else { return nil }
    count += 1
    sessions[count] = Session(token: token, address: address, cut: cut, began: time, heard: time)
    return count
  }

  /// A client says something.
  package mutating func take(_ text: String, from id: Int, at time: Double) -> [Action] {
    guard var session = sessions[id] else { return [] }
    session.heard = time
    sessions[id] = session
    let request: SessionRequest
    do throws(FormatError) {
      request = try SessionRequest(text)
    } catch {
      return end(id, .closed, at: time)
    }
    switch (session.state, request) {
    case (.new, .hello(let version, let profile, _, _, _, _)):
      sessions[id]?.hasCommands = profile == BuiltInProfile.command.rawValue
      return begin(id, session, version: version, at: time)
    case (.running, .slot(let order)): return issue(order, id, session, at: time)
    case (.running, .sent(let number)):
      return number <= session.last ? [.tell(id, slot: number)] : []
    case (_, .bye): return end(id, .closed, at: time)
    default: return end(id, .closed, at: time)
    }
  }

  /// A side channel is gone.
  package mutating func close(_ id: Int, at time: Double) -> [Action] {
    guard sessions.removeValue(forKey: id) != nil else { return [] }
    queue.removeAll { $0 == id }
    tickets = tickets.filter { $0.value.claim.session != id }
    delayed.removeAll { $0.id == id }
    return proceed(at: time)
  }

  /// Time has passed.
  package mutating func tick(at time: Double) -> [Action] {
    tickets = tickets.filter { $0.value.expiry > time }
    var actions = release(at: time)
    for id in sessions.keys.sorted() {
      guard let session = sessions[id] else { continue }
      let isOver: Bool
      var reply = SessionReply.closed
      switch session.state {
      case .new: isOver = time >= session.began + limits.firstSeconds
      case .waiting:
        isOver = time >= session.began + limits.waitingSeconds
        reply = .refused(.busy, retryAfter: UplinkHost.usual)
      case .running:
        let isLate = time >= session.began + limits.sessionSeconds
        if isLate { reply = .refused(.rate, retryAfter: UplinkHost.usual) }
        isOver = isLate || time >= session.heard + limits.silentSeconds
      }
      if isOver { actions += end(id, reply, at: time) }
    }
    return actions
  }

  /// Somebody comes with a token for a slot: it holds once.
  package mutating func claim(
    _ token: String, _ direction: SlotDirection, at time: Double
  ) -> Claim? {
    guard let ticket = tickets.removeValue(forKey: token), ticket.expiry > time,
      ticket.claim.order.direction == direction
    else { return nil }
    return ticket.claim
  }

  private mutating func begin(
    _ id: Int, _ session: Session, version: Int, at time: Double
  ) -> [Action] {
    guard version == UplinkHost.version else {
      return end(id, .refused(.version, retryAfter: 0), at: time)
    }
    guard left(session.token, at: time) > 0 else {
      return end(id, .refused(.budget, retryAfter: Int(UplinkHost.day)), at: time)
    }
    guard queue.count < limits.waiting || mayRun(session) else {
      return end(id, .refused(.busy, retryAfter: UplinkHost.usual), at: time)
    }
    queue.append(id)
    sessions[id]?.state = .waiting
    sessions[id]?.began = time
    let actions = proceed(at: time)
    guard let place = queue.firstIndex(of: id) else { return actions }
    return actions + [
      .say(id, .queued(place: place + 1, seconds: UplinkHost.usual * (place + 1)))
    ]
  }

  /// Lets those run who may, in their order.
  private mutating func proceed(at time: Double) -> [Action] {
    var actions: [Action] = []
    for id in queue {
      guard let session = sessions[id], mayRun(session) else { continue }
      queue.removeAll { $0 == id }
      sessions[id]?.state = .running
      sessions[id]?.began = time
      sessions[id]?.heard = time
      let bytes = min(limits.sessionBytes, left(session.token, at: time))
      actions.append(
        .say(id, .granted(session: "s\(id)", address: session.cut, maxBytes: bytes)))
    }
    return actions
  }

  private func mayRun(_ session: Session) -> Bool {
    running < limits.running
      && !sessions.values.contains {
        $0.state == .running && ($0.token == session.token || $0.address == session.address)
      }
  }

  private mutating func issue(
    _ order: SlotOrder, _ id: Int, _ session: Session, at time: Double
  ) -> [Action] {
    guard order.number == session.last + 1 else { return end(id, .closed, at: time) }
    guard order.bytes <= limits.sessionBytes - session.used,
      order.bytes <= left(session.token, at: time)
    else { return end(id, .refused(.budget, retryAfter: UplinkHost.usual), at: time) }
    sessions[id]?.last = order.number
    sessions[id]?.used += order.bytes
    spent[session.token]?.bytes += order.bytes
    delayed.append((id, order))
    return release(at: time)
  }

  /// Lets slots begin in their order, as fast as all of them may be together.
  private mutating func release(at time: Double) -> [Action] {
    let most = limits.bytesPerSecond
    let old = bucket ?? (bytes: most, since: time)
    var bytes = min(most, old.bytes + max(0, time - old.since) * most)
    var actions: [Action] = []
    while let (id, order) = delayed.first, bytes >= min(most, Double(order.bytes)) {
      delayed.removeFirst()
      bytes -= Double(order.bytes)
      let token = makeToken()
      let claim = Claim(
        session: id, order: order, hasCommands: sessions[id]?.hasCommands ?? false)
      tickets[token] = Ticket(claim: claim, expiry: time + limits.tokenSeconds)
      actions.append(.say(id, .ready(order.number, token: token)))
    }
    bucket = (bytes: bytes, since: max(time, old.since))
    return actions
  }

  /// How many bytes a token may still have today.
  private mutating func left(_ token: String, at time: Double) -> Int {
    if let day = spent[token], time < day.since + UplinkHost.day {
      return max(0, limits.dailyBytes - day.bytes)
    }
    spent[token] = (time, 0)
    return limits.dailyBytes
  }

  private mutating func end(_ id: Int, _ reply: SessionReply, at time: Double) -> [Action] {
    [.say(id, reply), .end(id)] + close(id, at: time)
  }
}
