import Bluetooth
import Diagnosis
import HTTPServer
import LunaCore
import LunaHome
import LunaJSON
import LunaNotify
import LunaStore
import WebAccess

/// `outbox`, `notify/test`: what people are told, and whether it arrives.
enum OutboxEndpoints {
  /// What went out is shown for so long.
  private static let lately: Int64 = 86_400_000_000
  private static let limit = 500

  static let all = [
    HomeEndpoint(
      "GET", "outbox", "listOutbox",
      "See what people are still to be told, what they could not be, and what they were within a day.",
      .role(.member), answer: "Outbox"
    ) { api, call in
      let since = call.time.microseconds - lately
      let caller = try call.caller()
      let (open, sent) = try await api.accounts.store.read {
        (database: borrowing HomeDatabase) throws(DeviceStoreError) in
        (
          try OutboxTable.list(onlyFailed: false, in: database.connection),
          try OutboxTable.sent(since: since, in: database.connection)
        )
      }
      func isShown(_ row: OutboxTable.Row) -> Bool {
        caller.sees(trigger: row.entry.message.trigger)
      }
      func json(_ state: Settlement.State) -> JSONValue {
        let rows = open.filter { $0.state == state && isShown($0) }
        return .array(rows.suffix(limit).reversed().map(\.json))
      }
      return HTTPResponse(
        200,
        json: [
          "waiting": json(.waiting), "failed": json(.failed),
          "sent": .array(sent.filter(isShown).suffix(limit).reversed().map(\.json)),
        ])
    },
    HomeEndpoint(
      "POST", "outbox/{id}/retry", "retryMessage", "Tell somebody again what could not be told.",
      .role(.member), 204, problems: [(404, "No such message was put aside.")]
    ) { api, call in
      guard let number = Int64(call.parameter), number > 0 else {
        throw ProblemDocument.notFound("no message has this id")
      }
      let caller = try call.caller()
      let failed = try await api.accounts.store.read {
        (database: borrowing HomeDatabase) throws(DeviceStoreError) in
        try OutboxTable.list(onlyFailed: true, in: database.connection)
      }
      // One that is not shown is not there, whoever guesses its number.
      guard
        failed.contains(where: {
          $0.entry.id == number && caller.sees(trigger: $0.entry.message.trigger)
        })
      else { throw ProblemDocument.notFound("no message of this id was put aside") }
      try await api.home.retry(number)
      return HTTPResponse(204, nil, [])
    },
    HomeEndpoint(
      "POST", "notify/test", "testNotification",
      "Send a test message to a channel, or to a contact by all that reach them, and see what was said meanwhile.",
      .role(.owner), body: "NotificationTest",
      problems: [
        (404, "There is no such channel or contact."),
        (409, "No channel reaches this contact, or the home is made up."),
      ]
    ) { api, call in try await test(api, call) },
  ]

  private static func test(_ api: HomeAPI, _ call: HomeCall) async throws -> HTTPResponse {
    let members = try call.members()
    let (channel, contact) = (members.optional("channel"), members.optional("contact"))
    guard (channel == nil) != (contact == nil) else {
      throw FormatError("channel", "is needed, or a contact, and not both")
    }
    let name = try members.string(channel == nil ? "contact" : "channel")
    guard let settings = await api.home.notifications else { throw HomeAPI.unready }
    guard channel == nil ? settings.contact(name) != nil : settings.channel(name) != nil else {
      throw ProblemDocument.notFound("there is no such channel or contact")
    }
    guard await !api.home.isSimulated else {
      throw ProblemDocument(
        409, "simulated", "This home is made up.",
        detail: "this home is made up: it tells nobody anything")
    }
    let tests = NotificationTest.all(of: name, settings, isChannel: channel != nil)
    guard !tests.isEmpty else {
      throw ProblemDocument(
        409, "noChannel", "No channel reaches this contact.",
        detail: "give them an address that a channel of the file is for")
    }
    var results: [JSONValue] = []
    let book = try await OutboxFile.open(path: api.accounts.store.path)
    for test in tests {
      results.append(await test.run(settings, book: book, at: call.time).json)
    }
    return HTTPResponse(200, json: ["results": .array(results)])
  }
}
