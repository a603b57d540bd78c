import Bluetooth
import LunaAccount
import LunaJSON
import Testing
import WebAccess

@testable import LunaBackend

/// What every storage does with people who sign in at issuers of others.
@Suite("People of other issuers", .timeLimit(.minutes(10)))
struct ForeignArrivalTests {
  private static let issuer = "https://id.example"
  private let now = Samples.now

  private func person(
    _ role: AccountRole?, subject: String = "1", label: String? = "Ada@example",
    hasRules: Bool = true
  ) -> ForeignPerson {
    ForeignPerson(
      ForeignSubject(issuer: Self.issuer, subject: subject), label: label, role: role,
      hasRules: hasRules)
  }

  private func session() throws -> NewSession {
    try NewSession(method: Self.issuer, address: nil, agent: nil)
  }

  @Test func namesKeepTheirDots() {
    #expect(person(nil, label: "Ada.Lovelace@example").accountName(1) == "ada.lovelace")
    #expect(person(nil, label: "..@example").accountName(1) == "person")
  }

  /// An admin goes by it.
  @Test func whatTurnsTextIsNotShown() {
    let claims: JSONObject = ["preferred_username": "a\u{202E}b\u{85}\u{7}c"]
    let subject = ForeignSubject(issuer: Self.issuer, subject: "1")
    #expect(ForeignPerson(subject, claims, rules: []).label == "abc")
  }

  /// Then the issuer is asked for more.
  @Test func whatAnIDTokenLeavesOpen() {
    let rules = ["groups=a:admin", "realm.level=5:operator"].compactMap { RoleRule($0) }
    func isOpen(_ claims: JSONObject, hasName: Bool = true) -> Bool {
      var claims = claims
      if hasName { claims.append("preferred_username", "ada") }
      return ForeignPerson.isOpen(claims, rules: rules)
    }
    #expect(isOpen([:]))
    #expect(!isOpen(["groups": "a"]))
    #expect(isOpen(["groups": "a"], hasName: false))
    #expect(isOpen(["groups": ["b"]]))
    #expect(!isOpen(["groups": ["b"], "realm": ["level": 4]]))
    #expect(!isOpen(["groups": [], "realm": ["level": 5]]))
    // The first that fits counts, and may be another one.
    #expect(isOpen(["realm": ["level": 5]]))
    #expect(!ForeignPerson.isOpen(["preferred_username": "ada"], rules: []))
  }

  @Test(arguments: StorageKind.available)
  func rulesAreAskedAtEverySignIn(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let accounts = AccountStore(try await place.prepared())
    try await accounts.noteSignInIssuers([Self.issuer], at: now)
    let link = try AccountLink(.invitation, at: now)
    #expect(try await accounts.add("ada", .viewer, link, at: now) == nil)

    func arrive(_ person: ForeignPerson) async throws -> AccountStore.Arrival {
      try await accounts.arrive(person, session(), after: nil, at: now)
    }

    // Nobody gets the account of another one by a name.
    #expect(try await arrive(person(.admin)) == .account("ada-2", .admin))
    #expect(try await arrive(person(.admin, subject: "2")) == .account("ada-3", .admin))
    #expect(try await arrive(person(nil, subject: "3", label: nil)) == .waiting)
    #expect(
      try await arrive(person(.viewer, subject: "4", label: "../Ü")) == .account("person", .viewer))
    #expect(
      try await arrive(person(.viewer, subject: "5", label: "@x")) == .account("person-2", .viewer))
    #expect(try await arrive(person(.operator)) == .account("ada-2", .operator))
    // The last admin stays, whatever the rules say.
    #expect(try await arrive(person(.viewer, subject: "2")) == .account("ada-3", .admin))
    #expect(try await arrive(person(nil, subject: "2")) == .waiting)
    #expect(try await arrive(person(.admin, subject: "2")) == .account("ada-3", .admin))
    // Who fits no more is out, and comes back as the same one.
    #expect(try await accounts.sessions(of: "ada-2", at: now).count == 1)
    #expect(try await arrive(person(nil)) == .waiting)
    #expect(try await accounts.sessions(of: "ada-2", at: now).isEmpty)
    #expect(try await accounts.account("ada-2")?.canSignIn == false)
    #expect(try await arrive(person(.viewer)) == .account("ada-2", .viewer))
    // Without rules an admin looks after them.
    #expect(try await arrive(person(nil, hasRules: false)) == .account("ada-2", .viewer))
    let identities = try await accounts.identities()
    let first = try #require(identities.first { $0.subject.subject == "1" })
    #expect(first.label == "Ada@example")
    // What an admin says holds against the rules.
    #expect(try await accounts.set(first.id, .account("ada"), role: nil, at: now) == nil)
    #expect(try await arrive(person(.admin)) == .account("ada", .viewer))
    #expect(try await arrive(person(nil)) == .account("ada", .viewer))
    #expect(try await accounts.set(first.id, .gateway(key: "kitchen"), role: nil, at: now) == nil)
    #expect(try await arrive(person(.admin)) == .other)
    // The only admin can sign in only there.
    let second = try #require(identities.first { $0.subject.subject == "2" })
    #expect(try await accounts.removeIdentity(second.id, at: now) == .lastAdmin)
    #expect(try await accounts.set(second.id, .owner("o"), role: nil, at: now) == .lastAdmin)
    #expect(
      try await accounts.set(second.id, .account("new"), role: .viewer, at: now) == .lastAdmin)
    #expect(try await accounts.account("new") == nil)
    #expect(try await accounts.set(second.id, .account("new"), role: .admin, at: now) == nil)
    // Nothing of it is for anybody but admins.
    let changes = try await FleetStore(storage: accounts.storage).read(at: now) {
      work throws(FleetFailure) in
      (
        try work.changes(where: AuditEntry.others, []).count,
        try work.changes(where: "kind = $1 AND action = $2", [.text("session"), .text("signIn")])
          .count
      )
    }
    #expect(changes.0 == 0)
    #expect(changes.1 > 8)
  }

  @Test(arguments: StorageKind.available)
  func attemptsAreGoodOnceForTheirBrowser(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let accounts = AccountStore(try await place.prepared())
    let (cookie, other) = (try RandomSecret(), try RandomSecret())

    func attempt(_ state: String) -> SignInAttempt {
      SignInAttempt(
        issuer: Self.issuer,
        secrets: WebSignIn.Attempt(state: state, nonce: "n", verifier: "v"),
        next: ConsolePath("/ui/map") ?? .start)
    }

    for number in 1...6 {
      #expect(
        try await accounts.keep(
          attempt("s\(number)"), of: cookie, at: Samples.later(Int64(number))))
    }
    #expect(try await accounts.takeAttempt("s1", of: cookie, at: now) == nil)
    #expect(try await accounts.takeAttempt("s2", of: other, at: now) == nil)
    let taken = try #require(try await accounts.takeAttempt("s2", of: cookie, at: now))
    #expect(taken.issuer == Self.issuer)
    #expect((taken.secrets.nonce, taken.secrets.verifier, taken.next.path) == ("n", "v", "/ui/map"))
    #expect(try await accounts.takeAttempt("s2", of: cookie, at: now) == nil)
    #expect(try await accounts.takeAttempt("s3", of: cookie, at: Samples.later(603)) == nil)
    #expect(try await accounts.takeAttempt("s4", of: cookie, at: Samples.later(603)) != nil)
  }
}
