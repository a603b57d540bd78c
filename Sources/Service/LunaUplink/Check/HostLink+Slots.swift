import Diagnosis
import UplinkProtocol

extension HostLink {
  /// How long an answer may take.
  private static let patience = Duration.seconds(15)
  /// How long others may be first.
  private static let queuePatience = Duration.seconds(620)

  /// Opens one, and waits until slots can be made.
  ///
  /// A network that cuts off whoever asks for the server by its name is what a check is to find: where nothing is heard
  /// of the server then, the side channel asks for the name that control slots ask for. The certificate has to be of the
  /// server's own name even so.
  ///
  /// - Parameter tell: is called when it is known that others are first, and when slots can be made.
  /// - Returns: it, and how many bytes the server allows.
  static func begin(
    _ client: PairClient, _ profile: BuiltInProfile, _ hello: SessionRequest, _ waiting: SocketWait,
    tell: (PairClient.Moment) -> Void
  ) throws(ReplayError) -> (link: HostLink, most: Int) {
    func greeted(
      asking name: String?
    ) throws(ReplayError) -> (link: HostLink, reply: SessionReply) {
      let link = try HostLink(to: client.place, asking: name, token: client.token, waiting)
      return (link, try link.ask(hello, within: patience))
    }
    let own = client.place.name
    let other = client.name(of: .control, profile)
    let (link, reply): (HostLink, SessionReply)
    do throws(ReplayError) {
      (link, reply) = try greeted(asking: own)
    } catch let first {
      guard first.kind == .connect || first.kind == .lost, other != own else { throw first }
      do throws(ReplayError) {
        (link, reply) = try greeted(asking: other)
      } catch {
        // What a server says is more of a reason than its silence.
        throw error.kind == .connect || error.kind == .lost ? first : error
      }
    }
    return (link, try link.wait(after: reply, tell: tell))
  }

  private func wait(
    after first: SessionReply, tell: (PairClient.Moment) -> Void
  ) throws(ReplayError) -> Int {
    var reply = first
    let deadline = ContinuousClock.now + HostLink.queuePatience
    while true {
      switch reply {
      case .granted(_, let address, let bytes):
        tell(.allowed(address: address))
        return bytes
      case .queued(let place, _):
        tell(.queued(place: place))
        // However often it says so.
        reply = try ask(nil, within: ContinuousClock.now.duration(to: deadline))
      default: throw HostLink.error(reply)
      }
    }
  }

  /// Asks for a slot.
  ///
  /// - Returns: the token with which it is made.
  func token(for order: SlotOrder) throws(ReplayError) -> String {
    let reply = try ask(.slot(order), within: HostLink.patience)
    guard case .ready(order.number, let token) = reply else { throw HostLink.error(reply) }
    return token
  }

  /// Says that the data of a slot has gone.
  ///
  /// - Returns: what the server has seen of it.
  @discardableResult
  func end(_ number: Int) throws(ReplayError) -> SlotReceipt {
    let reply = try ask(.sent(number), within: HostLink.patience)
    guard case .received(number, let receipt) = reply else { throw HostLink.error(reply) }
    return receipt
  }

  /// Takes leave.
  func leave() { _ = try? ask(.bye, within: HostLink.patience) }

  /// A server that says what no server of ours of this version does.
  static var malformed: ReplayError {
    ReplayError(
      .malformed, "the server's answer is not what the protocol says",
      remedy: "check the server's address, and that it runs a version of Luna that fits this one")
  }

  /// What a server that goes on otherwise means.
  static func error(_ reply: SessionReply) -> ReplayError {
    guard case .refused(let code, let seconds) = reply else { return malformed }
    switch code {
    case .busy, .rate:
      return ReplayError(
        .overloaded, "the server is busy (\(code.rawValue)): \(code.reason)",
        remedy: "try again in \(seconds) s, or name another server")
    case .budget, .version, .token:
      return ReplayError(
        .refused, "the server refuses (\(code.rawValue)): \(code.reason)",
        remedy: seconds > 0 ? "try again in \(seconds) s" : "name another server")
    }
  }
}
