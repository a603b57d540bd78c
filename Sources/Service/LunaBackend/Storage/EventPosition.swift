import Bluetooth
public import LunaCore
import LunaJSON
public import LunaProtocol
import LunaWire

/// A place in the order in which events are given: by heid, day and identity.
public struct EventPosition: Hashable, Sendable {
  /// Whose events: the first thing that the order looks at.
  public let heid: HEID
  /// The day of the event, in UTC.
  public let day: Day
  /// What tells events of a day apart.
  public let id: EventID

  /// A place, also where no event is.
  public init(heid: HEID, day: Day, id: EventID) {
    self.heid = heid
    self.day = day
    self.id = id
  }

  /// The place of an event.
  public init(_ event: IdentifiedEvent) {
    self.init(heid: event.event.heid, day: event.event.day, id: event.id)
  }

  /// Reads a cursor.
  ///
  /// - Returns: nil for any other text.
  public init?(cursor: String) {
    let parts = cursor.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let heid = JSONMembers.heid(parts[0]), let day = Day(parts[1]),
      let bytes = Hex.bytes(parts[2]), let id = EventID(bytes)
    else { return nil }
    self.init(heid: heid, day: day, id: id)
  }

  /// The place as a cursor; owners take it as it is.
  public var cursor: String { "\(heid).\(day).\(Hex.lower(id.bytes.span))" }
}
