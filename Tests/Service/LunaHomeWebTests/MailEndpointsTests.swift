import LunaHome
import LunaJSON
import Testing

@testable import LunaHomeWeb

/// Links by mail.
@Suite(.timeLimit(.minutes(10))) struct MailEndpointsTests {
  private let stranger = SharingHome.Visitor(address: 2)

  private func give(
    _ address: String, _ home: SharingHome, _ owner: SharingHome.Visitor,
    password: String = SharingHome.password
  ) async -> SharingHome.Answer {
    await home.ask(
      "PUT", "me/email", ["email": .string(address), "password": .string(password)], as: nil,
      from: owner)
  }

  private func secret(_ mail: HomeMail?, _ kind: String) throws -> JSONValue {
    let link = String(decoding: try #require(mail).file, as: UTF8.self)
    #expect(link.hasPrefix("http://localhost:8470/\(kind)#"))
    return .string(String(link.split(separator: "#")[1]))
  }

  @Test func aForgottenPasswordIsMadeAnewByMail() async throws {
    let outbox = KeptMail()
    let home = try await SharingHome(mail: outbox)
    let owner = try await home.owner()
    #expect(await home.ask("GET", "session", as: nil, from: stranger).json["mail"] == true)
    // Nobody is told whether there is an account, or an address.
    for name: JSONValue in ["ada", "bob"] {
      let answer = await home.ask("POST", "forgotten", ["name": name], as: nil, from: stranger)
      #expect(answer.status == 204)
    }
    #expect(outbox.mails.isEmpty)
    #expect(await give("ada", home, owner).json["code"] == "email")
    #expect(await give("ada@example.org", home, owner, password: "wrong").status == 403)
    #expect(await give("ada@example.org", home, owner).status == 204)
    // It counts once the link was used, which works once; what others see of the mail says nothing of it.
    #expect(await home.ask("GET", "me", as: nil, from: owner).json["email"] == .null)
    let verification = try secret(outbox.mails.last, "verify")
    #expect(outbox.mails.last?.address == "ada@example.org")
    #expect(outbox.mails.last?.text.contains("#") == false)
    for status in [204, 403] {
      let used = await home.ask(
        "POST", "verify", ["secret": verification], as: nil, from: stranger)
      #expect(used.status == status)
    }
    #expect(await home.ask("GET", "me", as: nil, from: owner).json["email"] == "ada@example.org")
    // A minute has not passed since it was asked for her in vain.
    _ = await home.ask("POST", "forgotten", ["name": "ada"], as: nil, from: stranger)
    #expect(outbox.mails.count == 1)
    await home.home.stop()
  }

  @Test func theLinkMakesAnotherPassword() async throws {
    let outbox = KeptMail()
    let home = try await SharingHome(mail: outbox)
    let owner = try await home.owner()
    #expect(await give("ada@example.org", home, owner).status == 204)
    let verification = try secret(outbox.mails.last, "verify")
    _ = await home.ask("POST", "verify", ["secret": verification], as: nil, from: stranger)
    for _ in 1...2 {
      let asked = await home.ask("POST", "forgotten", ["name": "ada"], as: nil, from: stranger)
      #expect(asked.status == 204)
    }
    #expect(outbox.mails.count == 2)
    let reset = await home.ask(
      "POST", "reset",
      ["secret": try secret(outbox.mails.last, "reset"), "password": "another horse battery"],
      as: nil, from: stranger)
    #expect(reset.status == 201)
    #expect(await home.ask("GET", "me", as: nil, from: owner).status == 401)
    await home.home.stop()
  }

  @Test func withoutAChannelNothingIsPromised() async throws {
    let home = try await SharingHome()
    let owner = try await home.owner()
    #expect(await give("ada@example.org", home, owner).json["code"] == "noMail")
    #expect(await home.ask("GET", "session", as: nil, from: stranger).json["mail"] == nil)
    await home.home.stop()
  }
}
