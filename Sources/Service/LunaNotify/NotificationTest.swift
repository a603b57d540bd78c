package import Bluetooth
package import LunaClient
package import LunaHome
import SafeText

/// A message to try out a way to people, at once and beside all that waits.
package struct NotificationTest: Sendable {
  /// How it went.
  package struct Result: Sendable {
    /// The id of the channel.
    package let channel: String
    /// The id of the contact; nil where the channel itself is told.
    package let contact: String?
    /// Names the message, as firings name others.
    package let firing: String
    /// When, µs since 1970.
    package let time: Int64
    /// What was said meanwhile, without secrets.
    package let transcript: [String]
    package let outcome: DeliveryOutcome
  }

  private let channel: String
  private let contact: String?

  /// The tests of a channel, or of a contact by all channels that reach them; none where nothing does.
  package static func all(
    of name: String, _ settings: NotificationSettings, isChannel: Bool = false
  ) -> [NotificationTest] {
    if isChannel {
      return settings.channel(name).map { [NotificationTest(channel: $0.id, contact: nil)] } ?? []
    }
    return OutboxPlan.destinations(of: name, settings).compactMap { channel, contact in
      channel.map { NotificationTest(channel: $0.id, contact: settings.contact(contact)?.id) }
    }
  }

  /// Sends it.
  ///
  /// - Parameter book: the browsers that are told; nil where there is no home yet.
  package func run(
    _ settings: NotificationSettings, book: (any PushBook)?, at time: Timestamp
  ) async -> Result {
    let now = time.microseconds
    var message = Message(
      firing: "test-\(now)", rule: "test", ruleName: "Test", level: .info, at: now,
      text: "This is a test of \(EscapedText.line(settings.home)).")
    message.link = settings.link ?? ""
    let transcript = Transcript()
    let courier = ChannelCourier(settings, book: book, transcript: transcript)
    let entry = OutboxEntry(message, number: 0, channel: channel, contact: contact ?? "")
    let outcome = await courier.deliver(Shipment(entry), at: now) {}
    return Result(
      channel: channel, contact: contact, firing: message.firing, time: now,
      transcript: transcript.lines, outcome: outcome)
  }
}
