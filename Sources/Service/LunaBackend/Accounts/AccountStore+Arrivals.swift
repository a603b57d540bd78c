import Bluetooth
import LunaFleet
import WebAccess

extension AccountStore {
  /// What becomes of somebody who has signed in at an issuer of others.
  enum Arrival: Hashable, Sendable {
    /// They are this account now, and the session has begun.
    case account(String, AccountRole)
    /// They wait for an admin.
    case waiting
    /// They stand for a gateway or an owner, which has no sessions.
    case other
  }

  /// Lets somebody in whom an issuer of others knows, as far as an admin or the rules of that issuer say.
  ///
  /// The rules are asked at every sign-in. What an admin has said holds against them: they make accounts for
  /// those whom they fit, and change only the roles of accounts that they have made.
  ///
  /// - Parameter predecessor: the session of the same browser, which ends.
  func arrive(
    _ person: ForeignPerson, _ session: NewSession, after predecessor: RandomSecret?,
    at time: Timestamp
  ) async throws(StorageError) -> Arrival {
    let id = try String(StorageError.unless(RandomSecret()).text.prefix(16))
    return try await storage.transaction { work throws(StorageError) in
      let row = try work.row(
        """
        SELECT id, kind, account, by_rule FROM luna.identities WHERE issuer = $1 AND subject = $2
        """, [.text(person.subject.issuer), .text(person.subject.subject)])
      let kind = row?.text(1) ?? "waiting"
      guard kind == "waiting" || kind == "account" else { return .other }
      let known = try row?.optionalText(2).flatMap { name throws(StorageError) in
        try AccountStore.account(name, work)
      }
      var account: Account?
      if kind == "account", row?.integer(3) == 0 || !person.hasRules {
        account = known
      } else if let role = person.role {
        account =
          if let known {
            try follow(role, known, at: time, work)
          } else { try make(person, role, at: time, work) }
      } else if kind == "account", let known {
        // No rule fits any more. The account is kept for when one does again.
        guard try !AccountStore.isLastAdmin(known, work) else { return .waiting }
        try AccountStore.signOut(known.name, work)
      }
      if row == nil, account == nil {
        let waiting = try work.row("SELECT count(*) FROM luna.identities WHERE kind = 'waiting'")
        guard waiting?.integer(0) ?? 0 < ForeignIdentity.waitingLimit else { return .waiting }
      }
      let isByHand = account != nil && kind == "account" && row?.integer(3) == 0
      try work.change(
        """
        INSERT INTO luna.identities(id, issuer, subject, kind, account, label, by_rule, created, seen)
        VALUES($1, $2, $3, $4, $5, $6, $7, $8, $8)
        ON CONFLICT(issuer, subject) DO UPDATE SET kind = excluded.kind, account = excluded.account,
          label = excluded.label, by_rule = excluded.by_rule, seen = excluded.seen
        """,
        [
          .text(row?.text(0) ?? id), .text(person.subject.issuer), .text(person.subject.subject),
          .text(account == nil ? "waiting" : "account"), .text((account ?? known)?.name),
          .text(person.label), .integer(isByHand ? 0 : 1), .integer(time.microseconds),
        ])
      guard let account else { return .waiting }
      if let predecessor {
        try work.change(
          "DELETE FROM luna.sessions WHERE digest = $1",
          [.bytes(try StorageError.unless(predecessor.digest()))])
      }
      try AccountStore.begin(session, account: account.name, at: time, work)
      return .account(account.name, account.role)
    }
  }

  /// Who the history says it was where the rules of an issuer did something.
  private static let rules = "issuer rules"

  /// Gives an account the role that a rule says now.
  private func follow(
    _ role: AccountRole, _ account: Account, at time: Timestamp, _ work: any StorageTransaction
  ) throws(StorageError) -> Account {
    guard account.role != role else { return account }
    // The last admin stays, whatever an issuer says.
    if role != .admin, try AccountStore.isLastAdmin(account, work) { return account }
    try work.change(
      "UPDATE luna.accounts SET role = $1 WHERE name = $2",
      [.text(role.rawValue), .text(account.name)])
    try AccountStore.signOut(account.name, work)
    try work.audit(
      AuditEntry(.account, account.name, .edit, ["role": (account.role.rawValue, role.rawValue)]),
      by: AccountStore.rules, at: time)
    return try AccountStore.account(account.name, work) ?? account
  }

  /// Makes an account for somebody whom a rule fits. It is never one that is there: names change hands.
  private func make(
    _ person: ForeignPerson, _ role: AccountRole, at time: Timestamp,
    _ work: any StorageTransaction
  ) throws(StorageError) -> Account? {
    for number in 1...1000 {
      let name = person.accountName(number)
      let isNew = try work.change(
        """
        INSERT INTO luna.accounts(name, role, created) VALUES($1, $2, $3)
        ON CONFLICT(name) DO NOTHING
        """, [.text(name), .text(role.rawValue), .integer(time.microseconds)])
      guard isNew == 1 else { continue }
      try work.audit(
        AuditEntry(
          .account, name, .add,
          ["role": (nil, role.rawValue), "issuer": (nil, person.subject.issuer)]),
        by: AccountStore.rules, at: time)
      return try AccountStore.account(name, work)
    }
    return nil
  }
}
