import HTTPServer
import LunaHome
import LunaJSON
import LunaStore
import WebAccess

/// `suspects`: trackers of others that stay with whoever carries the box. They are for owners; to members, who may be
/// the ones that somebody has to beware of, there is nothing of the kind.
enum WatchEndpoints {
  private static let unknown: [(status: Int, when: String)] = [
    (404, "Nothing is known of such a tracker, or not to who calls.")
  ]

  private static let approaching: [(status: Int, when: String)] =
    unknown + [
      (409, "Its maker lets only its owner do this, its keys are here, or another is approached."),
      (423, "The keys of the trackers are locked."),
    ]

  static let all = [
    HomeEndpoint(
      "GET", "suspects", "listSuspects",
      "See the trackers of others that stay with the box, those that are known, what was listened to and what cannot be found.",
      .hidden(.owner), answer: "Suspects"
    ) { api, _ in HTTPResponse(200, json: await api.home.suspects()) },
    HomeEndpoint(
      "GET", "suspects/{id}", "getSuspect", "Get what speaks for a tracker's staying with the box.",
      .hidden(.owner), answer: "Suspect", problems: unknown
    ) { api, call in
      HTTPResponse(200, json: try await api.home.suspect(call.parameter).json)
    },
    HomeEndpoint(
      "POST", "suspects/{id}/mark", "markSuspect",
      "Say that a tracker is one's own, somebody's whom one knows, or a false alarm; null takes it back. It holds for all that is linked to it.",
      .hidden(.owner), body: "SuspectMark", answer: "Suspect",
      problems: unknown + [(409, "Its keys are here: it is known without being marked.")]
    ) { api, call in try await mark(api, call) },
    HomeEndpoint(
      "POST", "suspects/{id}/ring", "ringSuspect",
      "Make a tracker of somebody else sound once it is heard, where its maker lets anyone. Its owner may notice.",
      .hidden(.owner), 202, problems: approaching
    ) { api, call in begun(try await api.home.ring(suspect: call.parameter)) },
    HomeEndpoint(
      "POST", "suspects/{id}/identify", "identifySuspect",
      "Ask a tracker of somebody else what it is once it is heard, where its maker lets anyone; its answer is kept with it.",
      .hidden(.owner), 202, problems: approaching
    ) { api, call in begun(try await api.home.identify(suspect: call.parameter)) },
  ]

  private static func begun(_ row: HomeCommandRow) -> HTTPResponse {
    HTTPResponse(202, json: ["commandId": .string(row.id), "state": .string(row.state)])
  }

  private static func mark(_ api: HomeAPI, _ call: HomeCall) async throws -> HTTPResponse {
    let members = try call.members()
    guard let given = members.object["as"] else { throw FormatError("as", "is missing") }
    var word: String?
    if given != .null {
      let text = try members.string("as")
      guard LunaHome.marks.contains(text) else {
        throw FormatError("as", "is none of \(LunaHome.marks.joined(separator: ", "))")
      }
      word = text
    }
    let who = try call.caller().name
    let suspect = try await api.home.mark(call.parameter, as: word, by: who)
    return HTTPResponse(200, json: suspect.json)
  }
}
