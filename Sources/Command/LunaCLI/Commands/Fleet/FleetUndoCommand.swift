import CommandSpec
import LunaJSON

/// `luna fleet undo`: takes a change back.
struct FleetUndoCommand: Sendable {
  var change: String?
  var fleet = FleetOptions()

  static let command = Command(
    "undo", "Take a change back, as a new one.",
    discussion: [
      "Without CHANGE it is your last one that you have not taken back yet. A change can be taken back "
        + "for 30 days, as long as nobody has changed the same since."
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
      var number = change.flatMap { Int64($0) }
      if number == nil { number = try await last(session) }
      guard let number else {
        throw CommandFailure(.notFound, "there is no change of yours")
      }
      let reply = try await session.ask("POST", "/v1/changes/\(number)/undo")
      if reply["change"] != nil || session.format != .table {
        session.tell(reply, "change \(number) is taken back")
      }
      let refused = reply.objects("results").filter { $0.string("status") == "refused" }
      guard refused.isEmpty else {
        throw CommandFailure(
          .notFound, "\(refused.count) of \(reply.objects("results").count) were not taken back")
      }
      return .done
    }
  }

  /// The number of the last change of who asks that took nothing back, and that they have not taken back.
  private func last(_ session: FleetSession) async throws -> Int64? {
    var (before, undone): (Int64, Set<Int64>) = (.max, [])
    while true {
      let page = try await session.ask("GET", "/v1/changes?actor=me&before=\(before)")
        .objects("changes")
      let end = before
      for change in page.reversed() {
        guard let number = change.integer("change"), number < before else { continue }
        before = number
        if let earlier = change.integer("undoes") {
          undone.insert(earlier)
        } else if change["bulk"] == nil, !undone.contains(number) {
          return number
        }
      }
      if before == end { return nil }
    }
  }
}
