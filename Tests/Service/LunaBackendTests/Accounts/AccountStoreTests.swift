import Bluetooth
import HTTPServer
import LunaCore
import LunaCrypto
import LunaFleet
import SQLite
import Testing
import WebAccess

@testable import LunaBackend

/// What accounts do in every storage.
@Suite(.timeLimit(.minutes(10))) struct AccountStoreTests {
  private static let password = "correct horse battery"
  private let now = Samples.now

  /// Kept out of the way of the clock: the work is tested elsewhere.
  private func hash(_ password: String = AccountStoreTests.password) throws -> PasswordHash {
    try PasswordHash(password, work: Scrypt(cost: 16, blockSize: 1, parallelization: 1))
  }

  private func session(
    _ state: Session.State = .signedIn, method: String = "password"
  ) throws -> NewSession {
    try NewSession(state, method: method, address: "192.0.2.1", agent: "it")
  }

  /// An account with a password.
  private func add(
    _ name: String, _ role: AccountRole, to accounts: AccountStore
  ) async throws -> NewSession {
    let link = try AccountLink(.invitation, at: now)
    #expect(try await accounts.add(name, role, link, at: now) == nil)
    let session = try session()
    let result = try await accounts.redeem(
      link.secret, .invitation, for: name, password: try hash(), session: session, at: now)
    #expect(try result.get().role == role)
    return session
  }

  @Test(arguments: StorageKind.available)
  func writesDownWhoMakesAndRevokesTokens(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let accounts = AccountStore(try await place.prepared(), actor: "it")
    let token = try AccessToken(.owner).record(name: "house", at: now)
    try await accounts.add(token)
    #expect(try await accounts.revoke(token: token.id, at: Samples.later(1)))
    // What is not done is not written down.
    #expect(try await !accounts.revoke(token: token.id, at: Samples.later(2)))
    let changes = try await FleetStore(storage: accounts.storage).read(at: now) {
      work throws(FleetFailure) in
      try work.changes(where: "kind = $1", [.text("token")])
    }
    #expect(changes.map(\.action) == [.add, .remove])
    #expect(changes.allSatisfy { $0.actor == "it" && $0.object == "house" })
  }

  @Test(arguments: StorageKind.available)
  func theFirstAccountComesByItsLink(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let accounts = AccountStore(try await place.prepared())
    let (first, link) = (try AccountLink(.setup, at: now), try AccountLink(.setup, at: now))
    #expect(try await accounts.keep(setup: first))
    #expect(try await accounts.keep(setup: link))
    // Only the newest one is good, for an hour.
    #expect(try await !accounts.isGood(first.secret, .setup, for: "ada", at: now))
    #expect(try await accounts.isGood(link.secret, .setup, for: "ada", at: Samples.later(3599)))
    #expect(try await !accounts.isGood(link.secret, .setup, for: "ada", at: Samples.later(3600)))
    #expect(try await !accounts.isGood(link.secret, .invitation, for: "ada", at: now))
    // Eight people at once: one makes it.
    let hash = try hash()
    let made = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<8 {
        let session = try session()
        group.addTask {
          let result = try await accounts.redeem(
            link.secret, .setup, for: "ada\(number)", password: hash, session: session, at: now)
          return (try? result.get()) != nil
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(made == 1)
    let all = try await accounts.accounts()
    #expect(all.map(\.role) == [.admin] && all[0].canSignIn)
    #expect(try await !accounts.keep(setup: try AccountLink(.setup, at: now)))
  }

  @Test(arguments: StorageKind.available)
  func invitationsAreForOneNameAndGoodOnce(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let accounts = AccountStore(try await place.prepared())
    let link = try AccountLink(.invitation, at: now)
    #expect(try await accounts.add("bob", .viewer, link, at: now) == nil)
    #expect(try await accounts.add("bob", .admin, link, at: now) == .nameTaken)
    #expect(try await accounts.account("bob")?.canSignIn == false)
    #expect(try await !accounts.isGood(link.secret, .invitation, for: "ada", at: now))
    #expect(
      try await !accounts.isGood(link.secret, .invitation, for: "bob", at: Samples.later(72 * 3600))
    )
    for isGood in [true, false] {
      let result = try await accounts.redeem(
        link.secret, .invitation, for: "bob", password: try hash(), session: try session(), at: now)
      #expect(((try? result.get()) != nil) == isGood)
    }
    #expect(try await accounts.account("bob")?.canSignIn == true)
    // Who lost the password gets another link; the old session ends with its use.
    let again = try AccountLink(.invitation, at: now)
    #expect(try await accounts.invite("bob", again))
    #expect(try await !accounts.invite("nobody", again))
    #expect(try await accounts.sessions(of: "bob", at: now).count == 1)
    _ = try await accounts.redeem(
      again.secret, .invitation, for: "bob", password: try hash("another password"),
      session: try session(method: "invitation"), at: now
    ).get()
    #expect(try await accounts.sessions(of: "bob", at: now).map(\.method) == ["invitation"])
    #expect(try await accounts.credentials("bob")?.password?.matches("another password") == true)
  }

  /// Another person may have the name later.
  @Test(arguments: StorageKind.available)
  func commandsEndWithTheirAccount(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let accounts = AccountStore(storage)
    _ = try await add("ada", .admin, to: accounts)
    _ = try await add("bob", .viewer, to: accounts)
    let owners = ["account:bob", "account:ada", "bob"]
    for (number, owner) in owners.enumerated() {
      let command = try Samples.command([Samples.package(number)], owner: owner)
      try await storage.submit(command, openLimit: 10)
    }
    #expect(try await accounts.remove("bob") == nil)
    var left: [Int] = []
    for owner in owners {
      left.append(
        try await storage.commands(of: owner, since: now, at: now, limit: 10).count)
    }
    #expect(left == [0, 1, 1])
    let offered = try await storage.openCommands(
      matching: owners.indices.map { Samples.heid($0) }, for: "g", at: now)
    #expect(offered.count == 2)
  }

  @Test(arguments: StorageKind.available)
  func theLastAdminStays(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let accounts = AccountStore(try await place.prepared())
    _ = try await add("ada", .admin, to: accounts)
    // Who has not come yet does not count.
    #expect(
      try await accounts.add("eve", .admin, try AccountLink(.invitation, at: now), at: now) == nil)
    #expect(try await accounts.setRole("ada", .operator) == .lastAdmin)
    #expect(try await accounts.remove("ada") == .lastAdmin)
    #expect(try await accounts.remove("eve") == nil)
    _ = try await add("bob", .admin, to: accounts)
    // Both at once: one stays.
    let refusals = try await withThrowingTaskGroup(of: AccountRefusal?.self) { group in
      for name in ["ada", "bob"] {
        group.addTask { try await accounts.setRole(name, .viewer) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(refusals) == [nil, .lastAdmin])
    #expect(try await accounts.remove("nobody") == .unknown)
    #expect(try await accounts.setRole("nobody", .admin) == .unknown)
  }

  @Test(arguments: StorageKind.available)
  func sessionsEndByThemselves(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let accounts = AccountStore(try await place.prepared())
    let session = try await add("ada", .operator, to: accounts)
    let found = try #require(try await accounts.session(session.secret, at: now))
    #expect(found.role == .operator && found.session.account == "ada")
    #expect(found.session.address == "192.0.2.1" && found.session.agent == "it")
    let half = Int64(12 * 3600)
    #expect(try await accounts.session(session.secret, at: Samples.later(half - 1)) != nil)
    #expect(try await accounts.session(session.secret, at: Samples.later(half)) == nil)
    // Used twice a day it lasts a week.
    for step in 1...14 {
      let time = Samples.later((half - 60) * Int64(step))
      let live = try #require(try await accounts.session(session.secret, at: time))
      #expect(live.session.isNoteDue(at: time))
      try await accounts.note(live.session, at: time)
    }
    #expect(try await accounts.session(session.secret, at: Samples.later(7 * 86_400)) == nil)
    #expect(try await accounts.session(try RandomSecret(), at: now) == nil)
    try await accounts.prune(at: Samples.later(7 * 86_400 + 1))
    #expect(try await accounts.endSessions(of: "ada") == 0)
  }

  @Test(arguments: StorageKind.available)
  func rightsAndPasswordsEndWhatWasThere(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let accounts = AccountStore(storage)
    let first = try await add("ada", .admin, to: accounts)
    _ = try await add("bob", .admin, to: accounts)
    let second = try session()
    #expect(try await accounts.begin(second, account: "ada", after: nil, at: now))
    try await storage.transaction { work throws(StorageError) in
      for (family, kind, account) in [
        ("a", "account", StorageValue.text("ada")), ("g", "gateway", .null),
      ] {
        try work.change(
          """
          INSERT INTO luna.refresh(
            family, kind, holder, account, client, scope, created, seen, expires, generation, current)
          VALUES($1, $2, 'x', $3, 'luna', '', 0, 0, 0, 1, $4)
          """, [.text(family), .text(kind), account, .bytes(Array(family.utf8))])
        try work.change(
          "INSERT INTO luna.access(digest, family, generation, expires) VALUES($1, $2, 1, 0)",
          [.bytes(Array(family.utf8)), .text(family)])
      }
    }
    let families: @Sendable (any StorageTransaction) throws(StorageError) -> [String] = {
      work throws(StorageError) in
      try work.rows("SELECT family FROM luna.access ORDER BY family").map { $0.text(0) }
    }
    #expect(try await storage.read(families) == ["a", "g"])
    // A new password: this session is another one, and all others are over; a gateway stays.
    let hash = try #require(try await accounts.credentials("ada")?.password)
    let third = try session()
    #expect(
      try await accounts.setPassword(
        "ada", try self.hash("another password"), replacing: hash, successor: third, at: now))
    for (session, isLive) in [(first, false), (second, false), (third, true)] {
      #expect((try await accounts.session(session.secret, at: now) != nil) == isLive)
    }
    #expect(try await storage.read(families) == ["g"])
    // The one that was checked is no longer there.
    #expect(
      try await !accounts.setPassword(
        "ada", try self.hash(), replacing: hash, successor: try session(), at: now))
    // Another role: all of it.
    #expect(try await accounts.setRole("ada", .admin) == nil)
    #expect(try await accounts.session(third.secret, at: now) != nil)
    #expect(try await accounts.setRole("ada", .viewer) == nil)
    #expect(try await accounts.session(third.secret, at: now) == nil)
    // Who changes the own role goes on.
    let own = try session()
    #expect(try await accounts.setRole("ada", .operator, successor: own, at: now) == nil)
    #expect(try await accounts.session(own.secret, at: now)?.role == .operator)
    #expect(try await accounts.remove("ada") == nil)
    #expect(try await accounts.session(own.secret, at: now) == nil)
    #expect(try await !accounts.begin(try session(), account: "ada", after: nil, at: now))
  }

  @Test(arguments: StorageKind.available)
  func sessionsAreEndedByTheirOwners(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let accounts = AccountStore(try await place.prepared())
    let ada = try await add("ada", .admin, to: accounts)
    let other = try session()
    #expect(try await accounts.begin(other, account: "ada", after: nil, at: now))
    let bob = try await add("bob", .viewer, to: accounts)
    let bobs = try #require(try await accounts.session(bob.secret, at: now)).session.id
    #expect(try await !accounts.endSession(bobs, of: "ada"))
    #expect(try await accounts.endSession(bobs, of: nil))
    #expect(try await !accounts.endSession(bobs, of: nil))
    let own = try #require(try await accounts.session(ada.secret, at: now)).session.id
    #expect(try await accounts.endSessions(of: "ada", but: own) == 1)
    #expect(try await accounts.sessions(of: "ada", at: now).map(\.id) == [own])
    // The next one in the same browser takes the place of the one before.
    let next = try session()
    #expect(try await accounts.begin(next, account: "ada", after: ada.secret, at: now))
    #expect(try await accounts.session(ada.secret, at: now) == nil)
    try await accounts.end(next.secret)
    #expect(try await accounts.sessions(of: nil, at: now).isEmpty)
  }

  @Test(arguments: StorageKind.available)
  func theSecondFactorIsAskedForOnce(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let accounts = AccountStore(try await place.prepared())
    _ = try await add("ada", .viewer, to: accounts)
    let totp = try OneTimeCode()
    let recovery = try RecoveryCode.make()
    let digests = try RecoveryCode.digests(recovery)
    let step = OneTimeCode.step(at: now)
    #expect(try await accounts.confirm("000000", for: "ada", recovery: digests, at: now) == nil)
    #expect(try await accounts.propose(totp, for: "ada") == nil)
    let wrong = try OneTimeCode(secret: [1]).code(step: step)
    #expect(try await accounts.confirm(wrong, for: "ada", recovery: digests, at: now) == false)
    #expect(try await accounts.account("ada")?.hasSecondFactor == false)
    let first = try totp.code(step: step)
    #expect(try await accounts.confirm(first, for: "ada", recovery: digests, at: now) == true)
    #expect(try await accounts.propose(totp, for: "ada") == .secondFactor)
    #expect(try await accounts.credentials("ada")?.hasSecondFactor == true)

    /// Whether a code signs in, of which the session waits.
    func isGood(_ code: String, _ waiting: NewSession, at time: Timestamp) async throws -> Bool? {
      let next = try session(method: "code")
      switch try await accounts.enter(code, for: waiting.secret, successor: next, at: time) {
      case .signedIn:
        #expect(try await accounts.session(waiting.secret, at: time) == nil)
        #expect(try await accounts.session(next.secret, at: time)?.session.method == "code")
        return true
      case .wrong: return false
      case .none: return nil
      }
    }

    func waiting() async throws -> NewSession {
      let waiting = try session(.codeNeeded)
      #expect(try await accounts.begin(waiting, account: "ada", after: nil, at: now))
      return waiting
    }
    var half = try await waiting()
    // The code that turned it on is used up.
    #expect(try await isGood(first, half, at: now) == false)
    let later = Samples.later(30)
    #expect(try await isGood(try totp.code(step: step + 1), half, at: later) == true)
    #expect(try await isGood(try totp.code(step: step + 1), half, at: later) == nil)
    half = try await waiting()
    #expect(try await isGood(try totp.code(step: step + 1), half, at: later) == false)
    #expect(try await isGood(recovery[0], half, at: now) == true)
    half = try await waiting()
    #expect(try await isGood(recovery[0], half, at: now) == false)
    for _ in 0..<4 { #expect(try await isGood("000000", half, at: Samples.later(3600)) == nil) }
    // The fifth wrong one ends it, and five minutes do.
    for _ in 0..<4 { #expect(try await isGood("wrong", half, at: now) == false) }
    #expect(try await isGood(recovery[1], half, at: now) == nil)
    half = try await waiting()
    #expect(try await isGood(recovery[1], half, at: Samples.later(300)) == nil)
    #expect(try await isGood(recovery[1], half, at: Samples.later(299)) == true)
    try await accounts.removeSecondFactor("ada", at: now)
    #expect(try await accounts.account("ada")?.hasSecondFactor == false)
  }

  @Test(arguments: StorageKind.available)
  func identitiesBelongToOneAccount(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let accounts = AccountStore(try await place.prepared())
    for name in ["ada", "bob"] {
      let link = try AccountLink(.invitation, at: now)
      #expect(try await accounts.add(name, .admin, link, at: now) == nil)
    }
    func link(_ name: String, _ subject: String = "1") async throws -> AccountRefusal? {
      try await accounts.link(name, issuer: "https://id.example", subject: subject, at: now)
    }
    #expect(try await link("nobody") == .unknown)
    #expect(try await link("ada") == nil)
    #expect(try await link("ada") == nil)
    #expect(try await link("bob") == .identityTaken)
    // Now ada can sign in, and is the last admin, where people sign in to the console at that issuer.
    #expect(try await accounts.account("ada")?.canSignIn == true)
    try await accounts.noteSignInIssuers(["https://id.example"], at: now)
    #expect(try await accounts.remove("ada") == .lastAdmin)
    #expect(try await accounts.setRole("ada", .operator) == .lastAdmin)
    #expect(try await link("bob", "2") == nil)
    try await accounts.noteSignInIssuers([], at: now)
    try await accounts.noteSignInIssuers(["https://id.example"], at: now)
    #expect(try await accounts.remove("ada") == nil)
    #expect(try await link("bob") == nil)
  }

  @Test(arguments: StorageKind.available)
  func settingsStayUntilTheyAreTakenBack(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let accounts = AccountStore(try await place.prepared())
    try await accounts.keep(["a": "1", "b": "2"], by: "ada", at: 1)
    try await accounts.keep(["a": "3", "b": nil, "c": nil], by: nil, at: 2)
    #expect(try await accounts.settings() == ["a": "3"])
    #expect(try await accounts.knownPublicURL() == nil)
    try await accounts.keep([AccountStore.publicURL: "https://luna.example"], by: nil, at: 3)
    #expect(try await accounts.knownPublicURL()?.authority == "luna.example")
  }

  /// A database of the version before, with a token in it.
  @Test(arguments: StorageKind.available)
  func tokensOfTheVersionBeforeMayLook(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let token = try AccessToken(.admin).record(name: "old", at: now)
    let statement = """
      INSERT INTO luna.tokens(id, role, name, digest, created) VALUES($1, 'admin', 'old', $2, 1)
      """
    switch place.location {
    case .sqlite(let path):
      _ = try SQLiteStorage(path: path)
      let connection = try SQLiteConnection(
        at: SQLitePlace(Database<StorageError>.place(of: path)), isReadOnly: false)
      try SQLiteSchema.migrate(connection.database, upTo: 2)
      _ = try SQLiteTransaction(connection: connection).change(
        statement, [.text(token.id), .bytes(token.digest)])
    case .postgreSQL(let settings):
      let connection = PostgreSQLConnection(settings)
      try PostgreSQLSchema.migrate(connection, upTo: 2)
      _ = try PostgreSQLTransaction(connection: connection).change(
        statement, [.text(token.id), .bytes(token.digest)])
    }
    let storage = try await place.prepared()
    #expect(try await storage.token(token.id)?.rights == .viewer)
    for (role, rights) in [(TokenRole.admin, AccountRole.operator), (.owner, nil)] {
      let record = try AccessToken(role).record(name: "new", at: now, rights: rights)
      try await storage.add(record)
      #expect(try await storage.token(record.id)?.rights == rights)
    }
    #expect(try await AccountStore(storage).isEmpty())
  }
}
