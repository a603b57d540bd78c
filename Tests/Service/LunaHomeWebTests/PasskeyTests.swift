import HTTPServer
import LunaHome
import LunaJSON
import Testing

@testable import LunaHomeWeb

/// Signing in by what an authenticator keeps.
@Suite(.timeLimit(.minutes(10))) struct PasskeyTests {
  private func challenge(_ home: SharingHome, from visitor: SharingHome.Visitor) async -> String {
    let answer = await home.ask("GET", "session/passkey", as: nil, from: visitor)
    #expect(answer.status == 200 && answer.json["party"] == "localhost")
    return answer.json["challenge"]?.text ?? ""
  }

  /// Adds a passkey to the first account.
  private func add(
    _ authenticator: SoftAuthenticator, _ home: SharingHome, _ owner: SharingHome.Visitor,
    password: String = SharingHome.password
  ) async throws -> SharingHome.Answer {
    let new = await home.ask("GET", "me/passkeys", as: nil, from: owner).json["new"]
    #expect(new?["account"] == "ada")
    return await home.ask(
      "POST", "me/passkeys",
      try authenticator.made(for: new?["challenge"]?.text ?? "", password: password), as: nil,
      from: owner)
  }

  @Test(arguments: [false, true]) func signsInWithoutAPassword(isEdDSA: Bool) async throws {
    let home = try await SharingHome()
    let owner = try await home.owner()
    var authenticator = try SoftAuthenticator(isEdDSA: isEdDSA)
    let stranger = SharingHome.Visitor(address: 2)
    #expect(
      await home.ask("GET", "session", as: nil, from: stranger).json["passkeys"] == nil)
    let added = try await add(authenticator, home, owner)
    #expect(added.status == 201 && added.json["name"] == "My phone")
    #expect(
      await home.ask("GET", "session", as: nil, from: stranger).json["passkeys"] == true)
    authenticator.count = 1
    let proof = try authenticator.proof(for: await challenge(home, from: stranger))
    let entered = await home.ask("POST", "session/passkey", proof, as: nil, from: stranger)
    #expect(entered.status == 200 && entered.json["account"] == "ada")
    let visitor = SharingHome.Visitor(
      cookie: entered.cookie ?? "", csrf: entered.json["csrf"]?.text ?? "")
    let me = await home.ask("GET", "me", as: nil, from: visitor)
    #expect(me.status == 200 && me.json["role"] == "owner")
    // What was signed once signs nobody in again.
    #expect(
      await home.ask("POST", "session/passkey", proof, as: nil, from: stranger).status == 401)
    // One that is removed is good no more.
    let id = added.json["id"]?.text ?? ""
    #expect(await home.ask("DELETE", "me/passkeys/AAAA", as: nil, from: visitor).status == 404)
    #expect(await home.ask("DELETE", "me/passkeys/\(id)", as: nil, from: visitor).status == 204)
    authenticator.count = 2
    let late = try authenticator.proof(for: await challenge(home, from: stranger))
    #expect(
      await home.ask("POST", "session/passkey", late, as: nil, from: stranger).status == 401)
    await home.home.stop()
  }

  /// Each of them differs in one thing from what is good.
  @Test func refusesWhatIsNotForHere() async throws {
    let home = try await SharingHome()
    let owner = try await home.owner()
    var good = try SoftAuthenticator(isEdDSA: false)
    #expect(try await add(good, home, owner, password: "wrong horse").status == 403)
    var elsewhere = good
    elsewhere.origin = "http://localhost:8471"
    #expect(try await add(elsewhere, home, owner).json["code"] == "passkey")
    #expect(try await add(good, home, owner).status == 201)
    #expect(try await add(good, home, owner).status == 409)
    good.count = 5
    var address: UInt8 = 10
    func enter(
      _ authenticator: SoftAuthenticator, kind: String = "webauthn.get", challenge: String? = nil
    ) async throws -> Int {
      address += 1
      let visitor = SharingHome.Visitor(address: address)
      let asked = await self.challenge(home, from: visitor)
      let proof = try authenticator.proof(for: challenge ?? asked, kind: kind)
      return await home.ask("POST", "session/passkey", proof, as: nil, from: visitor).status
    }
    #expect(try await enter(good, kind: "webauthn.create") == 401)
    #expect(try await enter(good, challenge: "AAAA") == 401)
    #expect(try await enter(elsewhere) == 401)
    var other = good
    other.party = "example.org"
    #expect(try await enter(other) == 401)
    var unknown = good
    unknown.flags = 0x01
    #expect(try await enter(unknown) == 401)
    // With the same id, and another key.
    var thief = try SoftAuthenticator(isEdDSA: false)
    thief.count = 9
    #expect(try await enter(thief) == 401)
    #expect(try await enter(good) == 200)
    // A copy of it has not counted on.
    #expect(try await enter(good) == 401)
    good.count = 6
    #expect(try await enter(good) == 200)
    // Another password by a link ends it, with whatever somebody may have added.
    let link = await home.ask("POST", "accounts/ada/reset").json["link"]?.text ?? ""
    let reset = await home.ask(
      "POST", "reset",
      [
        "secret": .string(String(link.split(separator: "#").last ?? "")),
        "password": .string(SharingHome.password),
      ], as: nil, from: SharingHome.Visitor(address: 3))
    #expect(reset.status == 201)
    good.count = 7
    #expect(try await enter(good) == 401)
    await home.home.stop()
  }

  @Test func knowsWhereBrowsersKeepThem() async throws {
    let home = try await SharingHome()
    let visitor = SharingHome.Visitor(host: "127.0.0.1:8470")
    let answer = await home.ask("GET", "session/passkey", as: nil, from: visitor)
    #expect(answer.status == 409 && answer.json["code"] == "noPasskeys")
    await home.home.stop()
  }
}
