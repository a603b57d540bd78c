import LunaJSON
import LunaProtocol

extension VectorMachine {
  static let reportFunctions: [String: Function] = [
    "locationEncode": { (_, input) throws(VectorError) in
      let location = ReportedLocation(
        collectedAt: try wholeNumber("collectedAtMs", of: input) ?? 0,
        latitude: try input.double("latitude") ?? .nan,
        longitude: try input.double("longitude") ?? .nan, altitude: try input.double("altitude"),
        horizontalAccuracy: try input.double("horizontalAccuracy"),
        verticalAccuracy: try input.double("verticalAccuracy"), speed: try input.double("speed"),
        course: try input.double("course"),
        rssi: try wholeNumber("rssi", of: input).map { Int($0) },
        isSimulated: try input.bool("simulated"))
      do throws(LocationRejection) {
        return ["plaintext": .hex(try LocationRecord(location).encoded)]
      } catch {
        return .reject(error.rawValue)
      }
    },
    "locationDecode": { (_, input) throws(VectorError) in
      let bytes = try input.bytes("plaintext")
      do throws(LocationRejection) {
        let record = try LocationRecord(decoding: bytes.span)
        return [
          "collectedAtMs": .number(record.collectedAt), "latitudeE7": .number(record.latitudeE7),
          "longitudeE7": .number(record.longitudeE7),
          "altitudeCm": .number(record.altitudeCentimetres),
          "horizontalAccuracyDm": .number(record.horizontalAccuracyDecimetres),
          "verticalAccuracyDm": .number(record.verticalAccuracyDecimetres),
          "speedCms": .number(record.speedCentimetresPerSecond),
          "courseCdeg": .number(record.courseCentidegrees), "rssi": .number(record.rssi),
          "simulated": .bool(record.isSimulated),
        ]
      } catch {
        return .reject(error.rawValue)
      }
    },
    "reportSeal": { (machine, input) throws(VectorError) in
      let esf = try input.esf()
      let report = machine.sealer.seal(
        plaintext: try input.bytes("plaintext"), eid: try input.eid(), aotp: try input.aotp(),
        esf: esf, random: try input.bytes("random"))
      return [
        "heid": .text(report.heid),
        "nonce": .hex(report.encodedLocation.span.extracting(1..<13)),
        "aad": .hex(ReportSealer.associatedData(heid: report.heid, esf: esf)),
        "encodedLocation": .string(report.text),
      ]
    },
    "reportOpen": { (machine, input) throws(VectorError) in
      let text = try input.string("encodedLocation")
      let (heid, esf) = (try input.heid(), try input.esf())
      let (eid, aotp) = (try input.eid(), try input.aotp())
      do throws(ReportRejection) {
        let record = try machine.sealer.open(text, heid: heid, esf: esf, eid: eid, aotp: aotp)
        return ["plaintext": .hex(record.encoded)]
      } catch {
        return .reject(error.reason)
      }
    },
    "reportTime": { (_, input) throws(VectorError) in
      let isPlausible = ReportTime.isPlausible(
        collectedAt: try input.integer("collectedAtMs"), period: try input.integer("counter"),
        low: try input.integer("loMs"), high: try input.integer("hiMs"),
        slack: try input.integer("slackMs"))
      return ["plausible": .bool(isPlausible)]
    },
  ]

  /// A whole number, or one out of every range for what is none; nil for null.
  private static func wholeNumber(
    _ name: String, of input: VectorInput
  ) throws(VectorError) -> Int64? {
    if case .integer(let value) = try input.value(name) { return value }
    return try input.double(name).map { Int64(exactly: $0) ?? .min }
  }
}
