import Bluetooth
import HTTPServer
import LunaCore
import LunaJSON
import LunaProtocol
import LunaWire
import WebAccess

/// `/v1/commands`: commands of owners.
enum CommandEndpoints {
  static let declarations = [
    Endpoint(
      "POST", "/v1/commands", "submitCommand",
      "Have gateways deliver one of some control packages to a tracker. Whoever repeats it with the same key, "
        + "because the answer was lost, is told of the command that it has made.",
      access: .only(.owner), body: "NewCommand", isKeyed: true, elements: 4096,
      replies: [.init(201, "The command is queued.", json: "Command")],
      problems: [(429, "The owner has too many open commands, or calls too often.")]
    ) { api, call in try await submit(api, call) },
    Endpoint(
      "GET", "/v1/commands/{requestId}", "getCommand", "See how far a command has come.",
      access: .only(.owner), replies: [.init(200, "The command.", json: "Command")],
      problems: [(404, "There is no such command of this owner.")]
    ) { api, call in
      guard let id = RequestID(call.parameter),
        let status = try await api.storage.command(id, of: call.name, at: call.time)
      else { throw unknown }
      return HTTPResponse(200, json: status.json)
    },
    Endpoint(
      "GET", "/v1/commands", "listCommands",
      "The owner's open commands and those of the last seven days: the open ones first, the newest before "
        + "others.",
      access: .only(.owner), replies: [.init(200, "The commands.", json: "Commands")]
    ) { api, call in
      let commands = try await api.storage.commands(
        of: call.name, since: call.time.advanced(by: .zero - listed), at: call.time,
        limit: max(listLimit, api.agreed[.openCommands]))
      return HTTPResponse(200, json: ["commands": .array(commands.map(\.json))])
    },
    Endpoint(
      "DELETE", "/v1/commands/{requestId}", "cancelCommand",
      "Call a command off. A gateway that has it already may still deliver it, and its answer is kept. One "
        + "that is over stays as it is.",
      access: .only(.owner), replies: [.init(200, "What became of it.", json: "Command")],
      problems: [(404, "There is no such command of this owner.")]
    ) { api, call in
      guard let id = RequestID(call.parameter),
        let status = try await api.storage.cancel(id, of: call.name, at: call.time)
      else { throw unknown }
      return HTTPResponse(200, json: status.json)
    },
  ]

  /// How long commands are listed that are over.
  private static let listed: Duration = .seconds(7 * 86_400)
  /// How many are listed at most; never fewer than can be open.
  private static let listLimit = 1000
  private static let unknown = ProblemDocument.notFound("no command of this owner has this id")

  private static func submit(_ api: API, _ call: APICall) async throws -> HTTPResponse {
    let body = try call.inflated(api.configuration.limits)
    let members = try JSONMembers(try call.json(body), name: "the body")
    let values = try members.array("controlPackages")
    let limit = api.configuration.packagesPerCommand
    guard (1...limit).contains(values.count) else {
      throw FormatError("controlPackages", "has not 1 to \(limit) elements")
    }
    let packages = try values.map { try ControlPackage(json: $0) }
    let end = try members.time("expiresAt")
    guard end > call.time else { throw FormatError("expiresAt", "is over") }
    guard end <= call.time.advanced(by: api.configuration.commandLifetime) else {
      throw FormatError("expiresAt", "is too far ahead")
    }
    let command = NewCommand(
      id: try RequestID(), owner: call.name, createdAt: call.time, expiresAt: end,
      packages: packages)
    let id = try await api.storage.submit(
      command, as: try call.outcomeKey("owner", of: call.name, body: body),
      openLimit: api.agreed[.openCommands])
    api.waiting.note(packages.map(\.heid))
    var status = CommandStatus(
      requestID: id.description, state: .queued, createdAt: call.time, expiresAt: end)
    if id == command.id {
      api.metrics.command("submitted")
    } else {
      status = try await api.storage.command(id, of: call.name, at: call.time) ?? status
    }
    var response = HTTPResponse(201, json: status.json)
    response.headers.append(("Location", "/v1/commands/\(id)"))
    return response
  }
}
