import CommandSpec
import LunaJSON

/// `luna fleet undo`: takes a change back.
struct FleetUndoCommand: Sendable {
  var change: String?
  var fleet = FleetOptions()

  static let command = Command(
    "undo", "Take a change back, as a new one.",
    discussion: [
      "Without CHANGE it is your last one. A change can be taken back for 30 days, as long as nobody "
        + "has changed the same since."
    ],
    initial: FleetUndoCommand(),
    arguments: [.optional("CHANGE", "The number, as luna fleet history shows it", \.change, .text)],
    groups: FleetOptions.groups().map { $0.scoped(to: \.fleet) },
    examples: [
      Example("luna fleet undo", "Not what I meant"), Example("luna fleet undo 17", "This one"),
    ],
    exitStatuses: ExitCode.clientStatuses,
    check: { options throws(ValueProblem) in
      guard let text = options.change else { return }
      guard let number = Int64(text), number > 0 else {
        throw ValueProblem("\(text) is not the number of a change")
      }
    })

  func run() async -> ExitCode {
    await FleetSession.run(fleet) { session in
      var number = change
      if number == nil { number = try await last(session) }
      guard let number else {
        throw CommandFailure(.notFound, "there is no change of yours")
      }
      let reply = try await session.ask("POST", "/v1/changes/\(number)/undo")
      session.tell(reply, "change \(number) is taken back")
      let refused = reply.objects("results").filter { $0.string("status") == "refused" }
      guard refused.isEmpty else {
        throw CommandFailure(
          .notFound, "\(refused.count) of \(reply.objects("results").count) were not taken back")
      }
      return .done
    }
  }

  /// The number of the last change of who asks that took nothing back.
  private func last(_ session: FleetSession) async throws -> String? {
    var (last, since): (Int64?, Int64) = (nil, 0)
    while true {
      let page = try await session.ask("GET", "/v1/changes?actor=me&since=\(since)")
        .objects("changes")
      guard let end = page.last?.integer("change") else { break }
      since = end
      last =
        page.last { $0["undoes"] == nil && $0["bulk"] == nil }?.integer("change") ?? last
    }
    return last.map { String($0) }
  }
}
