import LunaHome
import LunaJSON
import LunaStore

/// Who calls.
struct HomeCaller: Sendable {
  let name: String
  let role: HomeRole
  /// The trackers that a guest sees.
  private let trackers: Set<String>
  /// The browser that an account is signed in with; nil for tokens.
  let session: HomeSession?

  init(_ account: HomeAccount, _ session: HomeSession) {
    name = account.name
    role = account.role
    trackers = Set(account.trackers)
    self.session = session
  }

  init(_ token: HomeAccounts.Token) {
    name = token.name
    role = token.role
    trackers = []
    session = nil
  }

  func may(_ access: HomeAccess) -> Bool {
    switch access {
    case .open: true
    case .role(let role), .hidden(let role): self.role >= role
    case .session: session != nil
    }
  }

  /// Whether it may know of a tracker.
  func sees(_ tracker: String) -> Bool { role > .guest || trackers.contains(tracker) }

  /// Whether it may know of something that was asked for.
  func sees(_ command: HomeCommandRow) -> Bool {
    command.isForOwners ? role == .owner : sees(command.tracker)
  }

  /// Whether it may know of a rule that began by a trigger of this name. Who has a tracker that follows an owner must
  /// not learn that it was found.
  func sees(trigger name: String) -> Bool { name != "watch" || role == .owner }

  /// Whether it may know of a rule, make it, change it or put it to sleep.
  func sees(rule: JSONValue) -> Bool {
    guard role < .owner, case .array(let triggers)? = rule["when"] else { return true }
    return !triggers.contains { $0["watch"] != nil }
  }

  /// Whether it may know of something that people make, or that the file has.
  func sees(_ value: JSONValue, of kind: HomeObject.Kind) -> Bool {
    kind != .rules || sees(rule: value)
  }

  /// Whether it is the same one, with the same rights.
  func isSame(as other: HomeCaller) -> Bool {
    name == other.name && role == other.role && trackers == other.trackers
      && session?.id == other.session?.id
  }
}
