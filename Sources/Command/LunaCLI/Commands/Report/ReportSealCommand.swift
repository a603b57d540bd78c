import Bluetooth
import CommandSpec
import Glibc
import LunaCore
import LunaCrypto
import LunaDocuments
import LunaProtocol

/// `luna report seal`: what a finder uploads of a frame that it heard.
struct ReportSealCommand: Sendable {
  var eid: EID?
  var aotp: AOTP?
  var esf: ESF?
  var location = ReportedLocation(collectedAt: 0, latitude: 0, longitude: 0)
  var time: GivenTime?
  var format = OutputFormat.table
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "seal", "Seal a location for the owner of a tracker that was heard.",
    discussion: [
      "Prints the encoded location, 84 characters of base64; with --format jsonl an object that also "
        + "has the heid under which it is stored and the day."
    ],
    initial: ReportSealCommand(),
    groups: [
      OptionGroup(
        "What was heard",
        [
          .value("eid", "HEX", "The eid, 16 digits", \.eid, identifier(16) { EID($0) }).required(),
          .value("aotp", "HEX", "The aotp, 14 digits", \.aotp, identifier(14) { AOTP($0) })
            .required(),
          .value("esf", "HEX", "The esf, 6 digits", \.esf, identifier(6) { ESF($0) }).required(),
          .value("rssi", "DBM", "How strong", \.location.rssi, .integer(-128...126)),
        ]),
      OptionGroup("Where and when", place),
      OptionGroup(
        "Output",
        [
          .value("format", "FORMAT", "table or jsonl", \.format, .choice).defaulting(to: "table")
        ]), ZoneOptions.group.scoped(to: \.zone), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example(
        "luna report seal --eid EID --aotp AOTP --esf ESF --latitude 52 --longitude 13",
        "A report of a frame with these fields")
    ],
    exitStatuses: ExitCode.statuses)

  // With a type of its own: within the list above, the compiler tries it for ten seconds.
  private static let place: [Option<ReportSealCommand>] = [
    .value("latitude", "DEGREES", "Latitude", \.location.latitude, .number(-90...90))
      .required(),
    .value("longitude", "DEGREES", "Longitude", \.location.longitude, .number(-180...180))
      .required(),
    .value(
      "altitude", "M", "Above the WGS84 ellipsoid", \.location.altitude,
      .number(-21_474_836...21_474_836)),
    .value(
      "horizontal-accuracy", "M", "Of the position", \.location.horizontalAccuracy,
      .number(0...1e9)),
    .value(
      "vertical-accuracy", "M", "Of the altitude", \.location.verticalAccuracy,
      .number(0...1e9)),
    .value("speed", "M/S", "Speed", \.location.speed, .number(0...1e9)),
    .value("course", "DEGREES", "From north", \.location.course, .number(0...360)),
    .flag("simulated", "The position is not a real one", \.location.isSimulated),
    .value("time", "TIME", ZoneOptions.help("When"), \.time, .time).defaulting(to: "now"),
  ]

  private static func identifier<Value: Sendable>(
    _ digits: Int, _ read: @escaping @Sendable (String) -> Value?
  ) -> ValueReader<Value> {
    ValueReader(expects: "\(digits) hexadecimal digits") { text throws(ValueProblem) in
      guard let value = read(text) else {
        throw ValueProblem("is not \(digits) hexadecimal digits")
      }
      return value
    }
  }

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      guard let eid, let aotp, let esf else { return .usage }
      var location = location
      location.collectedAt = (try zone.moment(time) ?? .now).unixMilliseconds
      let record: LocationRecord
      do throws(LocationRejection) {
        record = try LocationRecord(location)
      } catch {
        throw CommandFailure(.usage, "the \(error.rawValue) cannot be written in a report")
      }
      var sealer = try ReportSealer()
      let report = sealer.seal(
        record, eid: eid, aotp: aotp, esf: esf, random: try SecureRandom.bytes())
      guard format == .jsonl else {
        output.append(line: report.text)
        return .done
      }
      var writer = JSONFieldWriter("report", in: output)
      writer.string("heid", report.heid.description)
      writer.string("encodedLocation", report.text)
      writer.string("esf", esf.description)
      writer.string("day", ReportTime.day(of: record.collectedAt))
      writer.endLine()
      return .done
    }
  }
}
