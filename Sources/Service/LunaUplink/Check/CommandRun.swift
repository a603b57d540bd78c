import UplinkProtocol

/// One slot of commands, on a thread that may wait: how long a request waits for its answer (UPLINK.md, 4).
struct CommandRun {
  /// How long connecting may take, and an answer.
  private static let patience = Duration.seconds(5)
  /// What is read at once.
  private static let chunk = 4 << 10

  let place: HostPlace
  let order: SlotOrder
  let token: String
  /// The name that the server is asked for, which a network can see; nil for none.
  let name: String?
  let waiting: SocketWait
  /// What is told of a slot that somebody ends, of which there is no record.
  var tally: SlotTally?

  /// Makes it.
  ///
  /// - Throws: ``ReplayError`` of kind `cancelled`; whatever else happens is a slot that failed.
  func run() throws(ReplayError) -> SlotRecord {
    var (trips, bytes, carried): ([Double], Int, Int) = ([], 0, 0)
    let began = ContinuousClock.now
    let isWhole: Bool
    do throws(ReplayError) {
      isWhole = try exchange(&trips, &bytes, &carried)
    } catch {
      tally?.add(max(bytes, carried))
      throw error
    }
    let seconds = began.duration(to: .now) / .seconds(1)
    let counted = trips.dropFirst(CommandSlot.requests.uncounted).sorted()
    guard isWhole, !counted.isEmpty else {
      return SlotRecord(
        order.kind, .failed, bytes: bytes, seconds: seconds, fastest: nil, carried: carried)
    }
    let middle = counted.count / 2
    let median =
      counted.count % 2 == 1 ? counted[middle] : (counted[middle - 1] + counted[middle]) / 2
    return SlotRecord(
      order.kind, .measured(max(median, 1e-9)), bytes: bytes, seconds: seconds, fastest: nil,
      carried: carried)
  }

  /// - Parameters:
  ///   - bytes: gets those of whole requests and answers.
  ///   - carried: gets all that the connection carried after its handshake, with those of TLS.
  /// - Returns: false where the connection broke off, an answer stayed away, or was none.
  private func exchange(
    _ trips: inout [Double], _ bytes: inout Int, _ carried: inout Int
  ) throws(ReplayError) -> Bool {
    guard let socket = try? place.connect(asking: name),
      try waiting.open(socket, until: ContinuousClock.now + CommandRun.patience)
    else { return false }
    let before = socket.counters?.exchanged ?? 0
    defer { carried = (socket.counters?.exchanged ?? 0) - before }
    let request = CommandSlot.makeRequest(token, to: place.session.hostText)
    for _ in 0..<CommandSlot.requests.all {
      var answer = CommandAnswer()
      let began = ContinuousClock.now
      guard socket.send(request) else { return false }
      while !answer.isWhole {
        guard let more = try receive(socket, until: began + CommandRun.patience), answer.take(more)
        else { return false }
      }
      trips.append(began.duration(to: .now) / .seconds(1))
      bytes += request.count + answer.count
    }
    return true
  }

  /// What has come; nil at the end, and where time is over.
  private func receive(
    _ socket: TLSSocket, until deadline: ContinuousClock.Instant
  ) throws(ReplayError) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: CommandRun.chunk)
    while true {
      switch socket.receive(buffer.count, into: &buffer) {
      case .bytes(let count): return Array(buffer[..<count])
      case .nothing: break
      case .end, .failure: return nil
      }
      guard deadline > .now else { return nil }
      try waiting.wait(for: socket, reads: true, until: deadline)
      guard socket.proceed() else { return nil }
    }
  }
}
