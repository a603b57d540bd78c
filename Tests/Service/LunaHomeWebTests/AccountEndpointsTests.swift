import LunaHome
import LunaJSON
import LunaProtocol
import Testing
import WebAccess

@testable import LunaHomeWeb

/// Accounts, as owners make them.
@Suite(.timeLimit(.minutes(10))) struct AccountEndpointsTests {
  @Test func aChangeNamesTheVersionThatItIsOf() async throws {
    let home = try await SharingHome()
    _ = await home.ask("POST", "accounts", ["name": "ben", "role": "guest"])
    let seen = await home.ask("GET", "accounts/ben")
    #expect(seen.status == 200 && seen.json["role"] == "guest")
    let (member, guest): (JSONValue, JSONValue) = (["role": "member"], ["role": "guest"])
    #expect(await home.ask("PUT", "accounts/ben", member).status == 428)
    #expect(await home.ask("PUT", "accounts/ben", member, tag: seen.tag).status == 204)
    // Another owner, who has seen the one before.
    #expect(await home.ask("PUT", "accounts/ben", guest, tag: seen.tag).status == 412)
    #expect(await home.ask("DELETE", "accounts/ben", tag: seen.tag).status == 412)
    #expect(await home.ask("DELETE", "accounts/ben").status == 428)
    #expect(await home.ask("DELETE", "accounts/ben", tag: "*").status == 204)
    #expect(await home.ask("DELETE", "accounts/ben", tag: "*").status == 404)
    #expect(await home.ask("GET", "accounts/ben").status == 404)
    await home.home.stop()
  }

  @Test func linksAreDrawn() async throws {
    let home = try await SharingHome()
    let made = await home.ask("POST", "accounts", ["name": "ben", "role": "member"])
    #expect(made.status == 201 && made.json["name"] == "ben")
    #expect(made.json["link"]?.text?.contains("/join#") == true)
    let link = try #require(made.json["link"]?.text?.split(separator: "#").last)
    try await home.join("ben", by: try #require(RandomSecret(String(link))))
    let reset = await home.ask("POST", "accounts/ben/reset")
    #expect(reset.status == 201, "\(reset.json)")
    #expect(reset.json["link"]?.text?.contains("/reset#") == true)
    for answer in [made, reset] {
      let text = try #require(
        answer.json["picture"]?.text, "null where libqrencode is not installed")
      let (head, data) = ("data:image/png;base64,", text.dropFirst(22))
      #expect(text.hasPrefix(head))
      #expect(Base64.decode(data)?.starts(with: [0x89, 0x50, 0x4E, 0x47]) == true)
    }
    #expect(made.json["picture"] != reset.json["picture"])
    await home.home.stop()
  }
}
