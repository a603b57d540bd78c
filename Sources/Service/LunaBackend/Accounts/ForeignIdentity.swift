import Bluetooth

/// Somebody whom an issuer of others knows, and for whom they stand here.
struct ForeignIdentity: Hashable, Sendable {
  /// For whom somebody stands.
  enum Holder: Hashable, Sendable {
    /// Nobody yet: they wait for an admin.
    case waiting
    case account(String)
    case gateway(key: String)
    case owner(String)

    var kind: String {
      switch self {
      case .waiting: "waiting"
      case .account: "account"
      case .gateway: "gateway"
      case .owner: "owner"
      }
    }

    /// For the history: `gateway:KEY`, and `waiting` alone.
    var label: String { name.map { "\(kind):\($0)" } ?? kind }

    var name: String? {
      switch self {
      case .waiting: nil
      case .account(let name), .gateway(let name), .owner(let name): name
      }
    }
  }

  /// How many wait at most: anybody with a token of an issuer can be one of them.
  static let waitingLimit: Int64 = 1000

  let id: String
  let subject: ForeignSubject
  let holder: Holder
  /// What they are called at their issuer, as far as it says so. It can change hands.
  let label: String?
  let createdAt: Timestamp
  let seenAt: Timestamp

  /// Reads a row of ``columns``.
  init?(_ row: StorageRow) {
    let holder: Holder
    switch (row.text(3), row.optionalText(4), row.optionalText(5)) {
    case ("waiting", _, _): holder = .waiting
    case ("account", let name?, _): holder = .account(name)
    case ("gateway", _, let key?): holder = .gateway(key: key)
    case ("owner", _, let name?): holder = .owner(name)
    default: return nil
    }
    id = row.text(0)
    subject = ForeignSubject(issuer: row.text(1), subject: row.text(2))
    self.holder = holder
    label = row.optionalText(8)
    createdAt = Timestamp(microseconds: row.integer(6))
    seenAt = Timestamp(microseconds: row.integer(7))
  }

  static let columns = "id, issuer, subject, kind, account, holder, created, seen, label"
}
