/// The search for a server of M-Lab's, and for access to it (UPLINK.md, 6): events go in, actions come out.
package struct LocateSession: Sendable {
  private enum State {
    case idle, asking, opening, closed
  }

  /// How long an access may take to open, s.
  package static let openLimit = 3
  /// How long after the answer its tokens hold, s.
  private static let validity = 120.0

  private let url: String
  private var state = State.idle
  private var machines: ArraySlice<LocatedMachine> = []
  private var answered = 0.0

  /// A search.
  ///
  /// - Parameters:
  ///   - url: the address of the service.
  ///   - site: where the server is to be; nil for wherever. It is a word, and anything else asks for none.
  package init(_ url: String, site: String? = nil) {
    let site = site.flatMap { ReplayPlan.isID($0) ? $0 : nil }
    let mark = url.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
    self.url = site.map { "\(url)\(mark)site=\($0)" } ?? url
  }

  /// Takes an event.
  ///
  /// - Parameter time: s, from whenever.
  package mutating func take(_ event: LocateEvent, at time: Double) -> LocateAction? {
    switch (state, event) {
    case (.idle, .begin):
      state = .asking
      return .get(url: url)
    case (.asking, .answered(let status, let bytes)):
      guard status == 200 else { return fail(.init(.unanswered, because: "it says \(status)")) }
      do throws(LocateError) {
        machines = try LocateAnswer(bytes).machines[...]
      } catch {
        return fail(error)
      }
      answered = time
      state = .opening
      return open(at: time)
    case (.asking, .unanswered(let reason)):
      return fail(LocateError(.unanswered, because: reason))
    case (.opening, .opened):
      guard let machine = machines.first else { return nil }
      state = .closed
      return .located(machine)
    case (.opening, .notOpened):
      machines = machines.dropFirst()
      return open(at: time)
    default: return nil
    }
  }

  private mutating func open(at time: Double) -> LocateAction {
    guard let machine = machines.first else { return fail(LocateError(.accessRefused)) }
    guard time - answered < LocateSession.validity else {
      return fail(LocateError(.accessRefused, because: "the time for it is over"))
    }
    return .open(machine)
  }

  private mutating func fail(_ error: LocateError) -> LocateAction {
    state = .closed
    return .failed(error)
  }
}
