import Glibc
package import LunaHome
import LunaJSON
import LunaProtocol
import SafeText

/// What the actions of rules put into the outbox.
package enum OutboxPlan {
  /// The entries of an action; none for one that tells nobody.
  package static func entries(
    for wanted: HomeMessage, _ settings: NotificationSettings
  ) -> [OutboxEntry] {
    let request = wanted.request
    let message = message(wanted, settings)
    switch request.name {
    case "webhook":
      return [
        OutboxEntry(
          message, number: request.index, channel: "", contact: "", request: request.parameters)
      ]
    case "notify":
      // What can be told nobody is put aside, where it is seen.
      let recipients = request.recipients.isEmpty ? [""] : request.recipients
      return recipients.flatMap { recipient in
        destinations(of: recipient, settings).map { channel, contact in
          entry(message, request, channel, contact, settings)
        }
      }
    default: return []
    }
  }

  /// The entry of a file that is mailed.
  static func entry(for mail: HomeMail, _ channel: NotificationChannel?) -> OutboxEntry {
    var message = Message(
      firing: mail.id, rule: "share", ruleName: mail.subject, level: .info, at: mail.time,
      text: mail.text)
    message.enclosure = Message.Enclosure(
      person: mail.person, address: mail.address, name: mail.fileName,
      content: Base64.encode(mail.file.span))
    return OutboxEntry(message, number: 0, channel: channel?.id ?? "", contact: "")
  }

  /// The channels that reach a contact or are named themselves; one without a name where there is none.
  package static func destinations(
    of recipient: String, _ settings: NotificationSettings
  ) -> [(channel: NotificationChannel?, contact: String)] {
    guard let contact = settings.contact(recipient) else {
      return [(settings.channel(recipient), recipient)]
    }
    let ways: [(NotificationChannel.Kind, Bool)] = [
      (.email, contact.email != nil), (.ntfy, contact.ntfy != nil), (.sms, contact.phone != nil),
      (.push, contact.hasBrowsers),
    ]
    let channels = ways.compactMap { kind, isWay in
      isWay ? settings.channels.first { $0.kind == kind } : nil
    }
    return channels.isEmpty ? [(nil, recipient)] : channels.map { ($0, recipient) }
  }

  private static func entry(
    _ message: Message, _ request: HomeActionRequest, _ channel: NotificationChannel?,
    _ contact: String, _ settings: NotificationSettings
  ) -> OutboxEntry {
    var message = message
    if channel?.hasDetails != true {
      message.position = nil
      if isPosition(request.cause) { message.value = "" }
    }
    message.text = text(of: request, message, settings)
    let isContact = settings.contact(contact) != nil
    var entry = OutboxEntry(
      message, number: request.index, channel: channel?.id ?? "",
      contact: isContact || channel == nil ? contact : "")
    if request.delivery == .delayed,
      let end = settings.quietEnd(of: contact, at: request.wall / 1_000_000)
    {
      entry.isDelayed = true
      entry.since = end * 1_000_000
      entry.due = entry.since
    }
    return entry
  }

  private static func isPosition(_ cause: HomeCause) -> Bool {
    cause.trigger == "property" && cause.detail.hasPrefix("location ")
  }

  private static func message(
    _ wanted: HomeMessage, _ settings: NotificationSettings
  ) -> Message {
    let request = wanted.request
    let cause = request.cause
    var message = Message(
      firing: request.firing, rule: request.rule, ruleName: wanted.rule,
      level: Message.Level(rawValue: request.level) ?? .info, at: request.wall, text: "")
    message.trigger = cause.trigger
    message.tracker = cause.tracker ?? ""
    message.trackerName = wanted.tracker ?? ""
    message.placeName = wanted.place ?? ""
    message.link = settings.link ?? ""
    if let value = cause.value {
      if case .text(let text) = value {
        message.value = text
      } else {
        message.value = value.json.description
      }
    }
    message.position = request.fix.map {
      Message.Position(latitude: $0.latitude, longitude: $0.longitude, accuracy: $0.accuracy)
    }
    // A request of a rule says what its body says.
    if request.name == "webhook" {
      message.position = nil
      if isPosition(cause) { message.value = "" }
      message.text = text(of: request, message, settings)
    }
    return message
  }

  private static func text(
    of request: HomeActionRequest, _ message: Message, _ settings: NotificationSettings
  ) -> String {
    var given: String?
    if case .object(let object) = request.parameters, case .string(let text)? = object["template"] {
      given = settings.templates[text] ?? text
    }
    let template = MessageTemplate(given ?? usual(request.cause))
    return template.filled(for: .text) { message.value(of: $0, settings) }
  }

  /// What is said where a rule has no words of its own.
  private static func usual(_ cause: HomeCause) -> String {
    if isPosition(cause) { return "{{tracker.name}} has moved." }
    return switch cause.trigger {
    case "enter": "{{tracker.name}} came to {{place.name}}."
    case "exit": "{{tracker.name}} left {{place.name}}."
    case "dwell": "{{tracker.name}} stays in {{place.name}}."
    case "beaconIn": "{{tracker.name}} is nearby."
    case "beaconOut": "{{tracker.name}} is not nearby any more."
    case "property": "{{tracker.name}}: {{value}}"
    case "watch": "A tracker that is not yours may stay with you. The app says what speaks for it."
    default: "{{rule.name}}"
    }
  }
}
