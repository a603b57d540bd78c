import Bluetooth
import LunaCore
import LunaJSON
import SafeText

/// One connection to gpsd as a value: it takes lines and tells what they mean (gpsd_json(5)).
struct GPSDSession: Sendable {
  /// What to do after a line.
  enum Step: Hashable, Sendable {
    /// Send this.
    case send(String)
    /// Tell this.
    case tell(LocationUpdate)
    /// Close the connection: this is no gpsd that we understand.
    case close(String)
  }

  /// The version of the protocol that is understood. Members may be added in a minor version.
  static let major: Int64 = 3
  /// Asks for reports in JSON.
  static let watch = "?WATCH=\(["enable": true, "json": true] as JSONValue);\n"

  private var isWelcome = false
  /// How many lines could be read.
  private(set) var understood = 0

  /// What a line means; nil for lines of no interest, as there are many.
  ///
  /// - Parameter now: the machine's clock.
  mutating func receive(_ line: [UInt8], at now: Timestamp) -> Step? {
    guard let value = try? JSONReader.read(line), case .object(let object) = value,
      case .string(let kind)? = object["class"]
    else {
      // One broken line: gpsd cuts lines that are too long for it. But a stranger's greeting is no line.
      return isWelcome ? nil : .close("what answers there is no gpsd")
    }
    understood += 1
    switch kind {
    case "VERSION":
      guard case .integer(let major)? = object["proto_major"], major == GPSDSession.major else {
        return .close("gpsd does not speak version 3 of its protocol")
      }
      isWelcome = true
      return .send(GPSDSession.watch)
    case "TPV":
      guard isWelcome else { return .close("gpsd did not introduce itself") }
      return .tell(GPSDSession.update(object, at: now))
    case "ERROR":
      guard case .string(let message)? = object["message"] else { return nil }
      return .tell(.unavailable("gpsd says: \(ForeignText(message).limited(to: 300))"))
    default: return isWelcome ? nil : .close("gpsd did not introduce itself")
    }
  }

  private static func update(_ object: JSONObject, at now: Timestamp) -> LocationUpdate {
    let report = TimePositionVelocity(object)
    guard let mode = report.mode, mode >= 2 else { return .refused(.noFix) }
    guard let fix = report.fix else { return .refused(.impossiblePosition) }
    guard fix.measuredAt != nil else { return .refused(.impossibleDate) }
    if let refusal = LocationRules.refusal(of: fix, at: now) { return .refused(refusal) }
    return .fix(fix)
  }
}
