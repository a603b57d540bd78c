import HTTPServer
import LunaCore
import LunaJSON
import LunaWire
import WebAccess

/// `POST /remote-control-request/confirm`: what became of a command.
enum ConfirmEndpoint {
  static let declaration = Endpoint(
    "POST", "/remote-control-request/confirm", "confirmCommand",
    "Tell what became of a command. Saying it again does no harm.",
    access: .only(.gateway), body: "CommandConfirmation",
    replies: [.init(204, "It is noted.")],
    problems: [
      (404, "There is no such command, or it has no package for that tracker."),
      (409, "The gateway was never offered the command."),
    ]
  ) { api, call in
    let json = try call.json(limits: api.configuration.limits)
    let confirmation = try CommandConfirmation(json: json)
    guard let id = RequestID(confirmation.requestID) else {
      throw ProblemDocument.notFound("no command has this requestId")
    }
    let result = try await api.storage.confirm(
      confirmation, id: id, by: call.name, at: call.time)
    switch result {
    case .noted:
      api.metrics.command(confirmation.outcome.rawValue)
      return HTTPResponse(204, nil, [])
    case .unknown:
      throw ProblemDocument.notFound("no command has this requestId and a package for this heid")
    case .neverOffered:
      throw ProblemDocument(
        409, "neverOffered", "The command was never offered to this gateway.")
    }
  }
}
