import Bluetooth
import LunaHome
import LunaJSON
import LunaStore

/// Who calls.
struct HomeCaller: Sendable {
  let name: String
  let role: HomeRole
  /// What a guest may, by trackers.
  private let rights: [String: HomeGuestRight]
  /// When a guest's rights end; nil where they do not by themselves.
  let until: Timestamp?
  /// The browser that an account is signed in with; nil for tokens.
  let session: HomeSession?

  init(_ account: HomeAccount, _ session: HomeSession) {
    name = account.name
    role = account.role
    rights = Dictionary(account.rights.map { ($0.tracker, $0) }) { first, _ in first }
    until = account.until
    self.session = session
  }

  init(_ token: HomeAccounts.Token) {
    name = token.name
    role = token.role
    rights = [:]
    until = nil
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
  func sees(_ tracker: String) -> Bool { role > .guest || rights[tracker] != nil }

  /// Whether it may have a tracker sound.
  func rings(_ tracker: String) -> Bool { role > .guest || rights[tracker]?.rings == true }

  /// From when on it may know what a tracker did, µs since 1970.
  func since(_ tracker: String) -> Int64 {
    role > .guest ? .min : rights[tracker]?.since.microseconds ?? .max
  }

  /// What says where a tracker was or when it was heard, and not how it is.
  private static let dated: Set = ["lastSeen", "location", "zone", "zones"]

  /// A value as it may know it: where a tracker was before a guest got to see it, is not theirs (HOME.md 8).
  func shown(_ value: HomeValue, of tracker: String) -> HomeValue {
    guard let at = value.at, at < since(tracker), HomeCaller.dated.contains(value.name) else {
      return value
    }
    return HomeValue(
      name: value.name, value: value.name == "zone" ? "unknown" : .null, at: nil, isFresh: false)
  }

  /// Whether it may know of something that was asked for: of what was before a guest got to see its tracker not.
  func sees(_ command: HomeCommandRow) -> Bool {
    command.isForOwners
      ? role == .owner : sees(command.tracker) && command.time >= since(command.tracker)
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
    name == other.name && role == other.role && rights == other.rights
      && until == other.until && session?.id == other.session?.id
  }
}
