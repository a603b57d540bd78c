import LunaCore
import LunaJSON
import LunaProtocol
import LunaWire

/// Decides whether an event is taken.
struct EventJudge {
  let today: Day
  let retentionDays: Int32
  let allowsDebugFields: Bool

  /// The event.
  ///
  /// - Throws: why not.
  func judge(_ json: JSONValue) throws(EventRejection) -> TrackerEvent {
    // First: another version may have other members.
    if case .object(let object) = json, case .integer(let version)? = object["protocolVersion"],
      version != TrackerEvent.currentVersion
    {
      throw .unsupportedVersion
    }
    let event: TrackerEvent
    do throws(FormatError) {
      event = try TrackerEvent(json: json)
    } catch {
      throw .malformed
    }
    if event.debug != nil, !allowsDebugFields { throw .debugRefused }
    // A finder east of here may be in tomorrow already by its clock's error.
    if event.day > today + 1 { throw .dayInFuture }
    if event.day < today + -retentionDays { throw .dayExpired }
    return event
  }
}
