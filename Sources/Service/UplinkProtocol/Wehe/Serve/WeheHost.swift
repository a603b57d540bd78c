/// The replays of Wehe's clients at a server of ours, as a machine (UPLINK.md, 7.1, 13): who may make one, what it may
/// use, and what came of it. It opens nothing itself, and takes the time as s from whenever.
package struct WeheHost: Sendable {
  /// Whether a replay may be made.
  package enum Permission: Hashable, Sendable {
    /// It may.
    case allowed
    /// Not yet.
    case waiting
    /// It may not, for a reason as clients know them.
    case refused(Int)
  }

  private struct Session {
    let address: String
    let client: String
    var declaration: WeheDeclaration?
    /// The address from which its data comes as well.
    var declared: String?
    var began = 0.0
    var isRunning = false
  }

  /// How many replays are made at once, how many side channels there are, in all and of one client, how many addresses
  /// are known, of how many clients is kept what they used, and how many places are looked for at once.
  static let most = (running: 2, open: 16, each: 4, asked: 1_000, spent: 1_000, searches: 2)
  /// How long a client waits, how long its address is known, and how long what it has used, s.
  private static let times = (patience: 45.0, asked: 120.0, day: 86_400.0)
  /// What an address may use in a day, bytes.
  private static let bytes = 100_000_000

  private var sessions: [Int: Session] = [:]
  private var count = 0
  private var asked: [String: Double] = [:]
  private(set) var spent: [String: (since: Double, bytes: Int)] = [:]
  var searches = 0
  /// What came of replays, to be taken by whoever is asked for it.
  package internal(set) var results: WeheResults

  /// Nobody is there.
  ///
  /// - Parameter pairs: servers whose paths part, of which clients are told.
  package init(pairs: [ServerPair] = []) { results = WeheResults(pairs: pairs) }

  /// How many replays are made.
  package var running: Int { sessions.values.count { $0.isRunning } }

  /// A side channel was opened.
  ///
  /// - Parameters:
  ///   - address: from where, as text.
  ///   - client: whose it is, for limits.
  /// - Returns: the session; nil where there are too many.
  package mutating func open(address: String, client: String) -> Int? {
    guard sessions.count < WeheHost.most.open,
      sessions.values.count(where: { $0.client == client }) < WeheHost.most.each
    else { return nil }
    count += 1
    sessions[count] = Session(address: address, client: client)
    return count
  }

  /// A side channel is gone.
  package mutating func close(_ id: Int) { sessions[id] = nil }

  /// Whether a session may make its replay. It is to be asked until it may, or may not.
  package mutating func permission(
    _ id: Int, _ declaration: WeheDeclaration, at time: Double
  ) -> Permission {
    guard var session = sessions[id] else { return .refused(3) }
    if session.declaration == nil {
      session.declaration = declaration
      session.began = time
      // What it says counts only where somebody has asked from there.
      session.declared = declaration.ownAddress.flatMap { address in
        asked[address].map { time < $0 + WeheHost.times.asked } == true ? address : nil
      }
      sessions[id] = session
    }
    guard left(session.client, at: time) > 0 else { return .refused(3) }
    let isTaken = sessions.contains { other, it in
      it.client == session.client && it.declaration != nil && (it.isRunning || other < id)
    }
    guard isTaken || running >= WeheHost.most.running else {
      sessions[id]?.isRunning = true
      return .allowed
    }
    guard time >= session.began + WeheHost.times.patience else { return .waiting }
    return .refused(isTaken ? 2 : 3)
  }

  /// Somebody asked for its own address.
  package mutating func ask(_ address: String, at time: Double) {
    asked = asked.filter { time < $0.value + WeheHost.times.asked }
    if asked.count < WeheHost.most.asked { asked[address] = time }
  }

  /// The session to which data from an address belongs, and what is replayed; nil where there is none.
  ///
  /// - Parameter isProven: whether it is sure that the data is from there. Else only the address of the side channel
  ///   counts.
  package func session(
    from address: String, isProven: Bool
  ) -> (id: Int, replay: ReplayName)? {
    let running = sessions.filter { $0.value.isRunning }
    // Whoever declares the address of others does not get their data.
    let found =
      running.first { $0.value.address == address }
      ?? running.first { isProven && $0.value.declared == address }
    guard let found, let declaration = found.value.declaration else { return nil }
    return (found.key, declaration.replay)
  }

  /// Takes bytes out of what a session may use today.
  ///
  /// - Returns: false where that is too much, or the session is over.
  package mutating func spend(_ bytes: Int, _ id: Int, at time: Double) -> Bool {
    guard let session = sessions[id], session.isRunning, left(session.client, at: time) >= bytes
    else { return false }
    if spent[session.client] == nil {
      spent = spent.filter { time < $0.value.since + WeheHost.times.day }
      // Whoever used least makes room.
      if spent.count >= WeheHost.most.spent,
        let least = spent.min(by: { $0.value.bytes < $1.value.bytes })
      {
        spent[least.key] = nil
      }
    }
    spent[session.client, default: (time, 0)].bytes += bytes
    return true
  }

  /// A replay has ended.
  ///
  /// - Parameters:
  ///   - samples: what the client measured; nil for nothing.
  ///   - own: what the server did.
  ///   - loss: what it read of its connections.
  ///   - date: now, `YYYY-MM-DD HH:MM:SS`, UTC.
  package mutating func keep(
    _ id: Int, _ samples: ReplaySamples?, own: ReplaySamples?, loss: ReplayLoss = ReplayLoss(),
    at time: Double, date: String
  ) {
    guard let declaration = sessions[id]?.declaration else { return }
    results.keep(declaration, samples, own: own, loss: loss, at: time, date: date)
  }

  /// How many bytes a client may still use today.
  private mutating func left(_ client: String, at time: Double) -> Int {
    guard let day = spent[client] else { return WeheHost.bytes }
    guard time < day.since + WeheHost.times.day else {
      spent[client] = nil
      return WeheHost.bytes
    }
    return max(0, WeheHost.bytes - day.bytes)
  }
}
