import HTTPServer
import LunaJSON
import WebAccess

/// `/v1/setup`, `/v1/invitation`: links with which people make their passwords.
enum LinkEndpoints {
  private static let problems =
    SessionEndpoints.signInProblems + [
      (
        403,
        "The link is not good; or passwords could be read on the way, or the page is another site's."
      ),
      (422, "The name or the password cannot be."),
    ]

  static let declarations = [
    Endpoint(
      "POST", "/v1/setup", "setUp",
      "Make the first account, with the link that the server printed.",
      access: .open, body: "LinkUse", limits: SessionEndpoints.limits,
      replies: [.init(201, "It is made, and signed in.", json: "SessionBegun")], problems: problems
    ) { api, call in try await use(.setup, api, call) },
    Endpoint(
      "POST", "/v1/invitation", "acceptInvitation",
      "Make the password of an account that was made.",
      access: .open, body: "LinkUse", limits: SessionEndpoints.limits,
      replies: [.init(201, "It is made, and signed in.", json: "SessionBegun")], problems: problems
    ) { api, call in try await use(.invitation, api, call) },
  ]

  private static let bad = ProblemDocument(
    403, "link", "This link is not good.", detail: "it is used, too old, or for another name")

  private static func use(
    _ kind: AccountLink.Kind, _ api: API, _ call: APICall
  ) async throws -> HTTPResponse {
    try SessionEndpoints.checkBrowser(api, call)
    let members = try call.members(api)
    let (name, password) = (try members.string("name"), try members.string("password"))
    let text = try members.string("secret")
    try SessionEndpoints.checkRate(api, call)
    guard AccountRule.isName(name) else { throw ProblemDocument.accountName }
    guard AccountRule.isPassword(password) else { throw ProblemDocument.passwordRule }
    guard let secret = RandomSecret(text),
      try await api.accounts.isGood(secret, kind, for: name, at: call.time)
    else { throw bad }
    let hash = try await api.passwords.hash(password)
    let session = try call.newSession(method: kind.rawValue)
    switch try await api.accounts.redeem(
      secret, kind, for: name, password: hash, session: session, at: call.time)
    {
    case .failure: throw bad
    case .success(let account):
      api.audit("\(kind.rawValue) used", by: nil, ["account": .string(name)])
      return try SessionEndpoints.begun(
        api, session, account: name, account.role, status: 201)
    }
  }
}
