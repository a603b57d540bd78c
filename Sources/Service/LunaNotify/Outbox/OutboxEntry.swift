import LunaHome
package import LunaJSON

/// A message for one address, or a request of a rule, until it is out.
package struct OutboxEntry: Hashable, Sendable {
  /// Its number; 0 before it has one.
  package var id: Int64 = 0
  package var message: Message
  /// Which action of the firing it is from.
  package var number: Int
  /// The id of the channel; empty for a request of a rule, and where no channel was found.
  package var channel: String
  /// The id of the contact; empty where the channel itself is told.
  package var contact: String
  /// What a rule asks of a server, as its file has it; nil for a message.
  package var request: JSONValue?
  /// Whether it waits for the end of quiet hours, to go out with others.
  package var isDelayed = false
  /// From when on it may go out, µs since 1970.
  package var since: Int64
  /// When it goes out next.
  package var due: Int64
  /// How often it was tried.
  package var attempts = 0
  /// How often nobody knows whether it has arrived, since the program was ended meanwhile.
  package var unsure = 0
  /// Why it did not go out the last time.
  package var reason = ""

  package init(
    _ message: Message, number: Int, channel: String, contact: String, request: JSONValue? = nil
  ) {
    self.message = message
    self.number = number
    self.channel = channel
    self.contact = contact
    self.request = request
    since = message.at
    due = message.at
  }

  /// What goes out one after the other.
  var lane: String {
    guard request != nil else { return "channel \(channel)" }
    return "server \(url.split(separator: "/").prefix(2).joined(separator: "//"))"
  }

  /// Where a request goes.
  var url: String {
    guard case .object(let object)? = request, case .string(let url)? = object["url"] else {
      return ""
    }
    return url
  }

  /// Whether nothing else goes out with it, and nothing holds it: a request, or a file for one person.
  var isAlone: Bool { request != nil || message.enclosure != nil }

  /// Whether it waits for nobody.
  var isAlarm: Bool { message.level == .alarm }
}
