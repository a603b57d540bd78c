import CommandSpec
import Diagnosis
import Glibc
import LunaCore
import LunaDocuments
import LunaFleet
import LunaJSON
import LunaLocation

/// `luna fleet enroll`: takes a gateway in by its label.
struct FleetEnrollCommand: Sendable {
  var text: String?
  var picture: String?
  var record: String?
  var name: String?
  var allowsNoPosition = false
  var at: LocationChoice?
  var fleet = FleetOptions()

  static let command = Command(
    "enroll", "Take a gateway in by the text of its label.",
    discussion: [
      "The label (luna finder label) says nothing secret: who has a picture of it gains nothing. "
        + "Compare print and name with what the gateway itself shows, since labels get stuck over. "
        + "The gateway then gets its token by itself if it runs: at first within 10 s, and within "
        + "10 min where it has waited for long.",
      "With --record the label is for a gateway that has a record already, for other hardware or a "
        + "lost token; without a label it gets a code. What it had before is not good any more.",
    ],
    initial: FleetEnrollCommand(),
    arguments: [
      .optional("TEXT", "The text of the label, LUNAG1:…; - reads standard input", \.text, .text)
    ],
    groups: [
      OptionGroup(
        "What to do",
        [
          .value("qr", "IMAGE", "Read the label from a picture (with zbarimg)", \.picture, .file),
          .value("record", "GW", "It belongs to this record", \.record, .text),
          .value("name", "NAME", "Its name, in the place of the label's", \.name, .text),
          .value("at", "WHERE", "Where it is: LAT,LON in degrees, or gpsd", \.at, atReader)
            .defaulting(to: "what the label says"),
          .flag("no-position", "Allow that nobody knows where it is", \.allowsNoPosition),
        ])
    ] + FleetOptions.groups().map { $0.scoped(to: \.fleet) },
    examples: [
      Example("luna fleet enroll --qr label.jpg --at 52.5186,13.3763", "From a picture"),
      Example("luna fleet enroll - --no-position", "A line that somebody sent"),
      Example("luna fleet enroll --record kitchen", "A code for a gateway that lost its token"),
    ],
    exitStatuses: ExitCode.clientStatuses,
    check: { options throws(ValueProblem) in
      guard options.text == nil || options.picture == nil else {
        throw ValueProblem("TEXT and --qr say the same thing", remedy: "give one of them")
      }
      guard options.text != nil || options.picture != nil || options.record != nil else {
        throw ValueProblem("needs the text of a label", remedy: "give TEXT, --qr or --record")
      }
    })

  private static var atReader: ValueReader<LocationChoice?> {
    ValueReader(expects: "LAT,LON or gpsd[:HOST:PORT]") { text throws(ValueProblem) in
      do throws(LocationChoiceError) {
        return try LocationChoice(text.hasPrefix("gpsd") ? text : "static:" + text)
      } catch { throw ValueProblem(error.reason) }
    }
  }

  func run() async -> ExitCode {
    await FleetSession.run(fleet) { session in
      let label = try await label()
      if let record {
        let id = try await session.id(of: record)
        let body: JSONObject = label.map { ["payload": .string($0)] } ?? [:]
        let path = "/v1/gateways/\(id)/enrol"
        let reply = try await session.ask("POST", path, .object(body))
        try await Self.show(reply, session) {
          // Another one ends it, which nobody ever sees.
          _ = try await session.ask("POST", path, .object(body))
        }
        return .done
      }
      var body: JSONObject = ["payload": .string(label ?? "")]
      if let name { body.append("name", .string(name)) }
      if let place = try await place() { body.append("place", place.json) }
      if allowsNoPosition { body.append("allowNoPosition", true) }
      let reply = try await session.ask("POST", "/v1/gateways", .object(body))
      // It gets its token by itself: there is nothing that only this shows.
      try await Self.show(reply, session) {}
      return .done
    }
  }

  /// The text of the label, looked at before anybody is asked.
  private func label() async throws(CommandFailure) -> String? {
    let label: String
    if let picture {
      // A picture may show other codes as well.
      let lines = String(decoding: try await PictureReader.texts(in: picture), as: UTF8.self)
        .split(separator: "\n").map { String($0) }
      label = lines.first { (try? GatewayPayload(text: $0)) != nil } ?? lines.first ?? ""
    } else if text == "-" {
      label = String(decoding: try await InputFile.read("-"), as: UTF8.self)
    } else if let text {
      label = text
    } else {
      return nil
    }
    do throws(FleetError) {
      let payload = try GatewayPayload(text: label)
      fleet.general.diagnostics.note(
        "luna: the label of \(payload.name ?? "a gateway"), print \(payload.print)")
      return payload.text
    } catch {
      let place = error.position.map { " (character \($0))" } ?? ""
      throw CommandFailure(
        .unreadableInput, "\(error.reason)\(place) [\(error.code.rawValue)]",
        hint: error.remedy?.description)
    }
  }

  private func place() async throws(CommandFailure) -> Place? {
    switch at {
    case nil, .geoclue?: return nil
    case .place(let latitude, let longitude, _)?:
      return Place(latitude: latitude, longitude: longitude)
    case .gpsd(let host, let port)?: return try await SatellitePlace.find(host, port)
    }
  }

  /// What became of it: the record, and the code where there is one, which nobody can look up again.
  ///
  /// - Parameter takeBack: has the code be good no more, where it could not be shown.
  static func show(
    _ reply: JSONObject, _ session: FleetSession, orElse takeBack: () async throws -> Void
  ) async throws {
    say(reply, session)
    if reply["code"] != nil { try await session.output.flush(orElse: takeBack) }
  }

  private static func say(_ reply: JSONObject, _ session: FleetSession) {
    guard case .object(let gateway)? = reply["gateway"] else { return }
    if session.format == .table {
      let name = FleetText.of(gateway["name"])
      if let code = reply.string("code") {
        session.output.append(line: code)
        let end = FleetText.moment(reply["expiresAt"], session.times)
        session.diagnostics.note("luna: the code of \(name), once, until \(end)")
      } else {
        session.diagnostics.note("luna: \(name) is in the fleet; it gets its token by itself")
      }
      return
    }
    var line = gateway
    for name in ["change", "code", "expiresAt"] {
      if let value = reply[name] { line.append(name, value) }
    }
    session.line("gateway", line)
  }
}
