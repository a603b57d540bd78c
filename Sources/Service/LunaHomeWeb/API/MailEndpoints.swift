import Bluetooth
import Diagnosis
import HTTPServer
import LunaCore
import LunaHome
import LunaJSON
import WebAccess

/// `me/email`, `verify`, `forgotten`: links by mail.
enum MailEndpoints {
  /// What is said of a text to which nothing can be mailed.
  static let noAddress = ProblemDocument(
    422, "email", "This is no address of mail.", detail: "one looks like me@example.org",
    members: ["field": "email"])

  static let all = [
    HomeEndpoint(
      "PUT", "me/email", "setEmail",
      "Give an address for links: it counts once the link that is mailed to it was used.", .session,
      body: "Email", 204,
      problems: [
        (403, "The password is wrong."), (409, "The file has no channel for mail."),
        (422, "This is no address of mail."),
      ]
    ) { api, call in
      let name = try call.caller().name
      let members = try call.members()
      let address = try members.string("email")
      guard !address.contains("<"), MailAddress(address, name: name) != nil else {
        throw noAddress
      }
      _ = try await SelfEndpoints.check(try members.string("password"), of: name, api)
      let secret = try await api.accounts.propose(address: address, for: name, at: call.time)
      let isSent = try await send(
        secret, "verify", to: address, of: name, "An address for the account \(name)",
        "Somebody, perhaps you, has given this address for the account \(name). If it was you, open "
          + "this within an hour:", api, call)
      guard isSent else {
        throw ProblemDocument(
          409, "noMail", "Nothing can be mailed.", detail: "the file has no channel for mail")
      }
      return HTTPResponse(204, nil, [])
    },
    HomeEndpoint(
      "DELETE", "me/email", "removeEmail", "Have no address for links.", .session, 204
    ) { api, call in
      try await api.accounts.removeAddress(of: try call.caller().name)
      return HTTPResponse(204, nil, [])
    },
    HomeEndpoint(
      "POST", "verify", "verifyEmail", "Show that an address is one's own, with the link.", .open,
      body: "Secret", 204,
      problems: [
        (403, "The link is not good, or this comes from the page of another site."),
        (429, "Too many tries; see Retry-After."),
      ]
    ) { api, call in
      try api.browsers.checkOrigin(call.request.head)
      let text = try call.members().string("secret")
      try api.checkRate(call)
      guard let secret = RandomSecret(text), try await api.accounts.verify(secret, at: call.time)
      else { throw HomeAccountRefusal.link }
      return HTTPResponse(204, nil, [])
    },
    HomeEndpoint(
      "POST", "forgotten", "mailReset",
      "Have a link for another password mailed to the address of an account; whether there is one, nobody is told.",
      .open, body: "AccountName", 204,
      problems: [
        (403, "This comes from the page of another site."),
        (429, "Too many tries; see Retry-After."),
      ]
    ) { api, call in
      try api.browsers.checkOrigin(call.request.head)
      let name = try call.members().string("name")
      try api.checkRate(call)
      // More of them tell no more than the first.
      if AccountRule.isName(name), api.mayMail(name),
        let address = try await api.accounts.address(of: name)
      {
        let secret = try await api.accounts.reset(name, at: call.time)
        _ = try await send(
          secret, "reset", to: address, of: name, "Another password for \(name)",
          "Somebody, perhaps you, wants another password for the account \(name). If it was you, open "
            + "this within an hour; else nothing has changed:", api, call)
      }
      return HTTPResponse(204, nil, [])
    },
  ]

  /// - Returns: false where nobody can mail it.
  private static func send(
    _ secret: RandomSecret, _ kind: String, to address: String, of name: String,
    _ subject: String, _ text: String, _ api: HomeAPI, _ call: HomeCall
  ) async throws -> Bool {
    let link = "\(api.browsers.base(for: call.request.head))/\(kind)#\(secret.text)"
    // What waits to be sent others see; the link they do not.
    return try await api.home.send(
      HomeMail(
        id: "account-" + SecretDigest.name(try secret.digest()), time: call.time.microseconds,
        person: name, address: address, subject: subject, text: text, fileName: "",
        file: Array(link.utf8)))
  }
}
