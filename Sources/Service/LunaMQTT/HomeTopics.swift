package import MQTT

/// Under which names things are published. They follow what is usual for receivers: `PROGRAM/HOST` in
/// front, `availability`, `events` and `devices/ID/FIELD` behind it (rtl_433), and the discovery of Home
/// Assistant under a prefix of its own.
public struct HomeTopics: Hashable, Sendable {
  /// What all topics begin with: `luna/HOSTNAME`.
  public let base: String
  /// What those of the discovery begin with: `homeassistant`; nil for no discovery.
  public let discovery: String?

  /// Topics.
  ///
  /// - Parameter base: nil for `luna/HOST`.
  public init(base: String?, host: String, discovery: String?) {
    self.base = base ?? "luna/" + MQTTTopic.level(host)
    self.discovery = discovery
  }

  /// Where Home Assistant says that it has begun, unless its settings are changed.
  package static let birth = "homeassistant/status"

  /// Whether a message says that Home Assistant has begun: it has forgotten what it was told.
  package static func isBirth(_ message: MQTTMessage) -> Bool {
    message.topic == birth && message.payload == Array("online".utf8)
  }

  /// `online` or `offline`, retained; the latter is the last will.
  public var availability: String { base + "/availability" }

  /// What happens, a JSON object each, not retained.
  public var events: String { base + "/events" }

  /// A value of a device, retained.
  func value(_ field: String, of device: String) -> String { "\(base)/devices/\(device)/\(field)" }

  /// A value of the gateway itself, retained.
  func value(_ field: String) -> String { "\(base)/\(field)" }

  /// Where a command for a device comes.
  func command(_ name: String, for device: String) -> String {
    value(name, of: device) + "/set"
  }

  /// Whom a command is for.
  func device(ofCommand name: String, in topic: String) -> String? {
    let (front, back) = (base + "/devices/", "/\(name)/set")
    guard topic.hasPrefix(front), topic.hasSuffix(back), topic.count > front.count + back.count
    else { return nil }
    let device = topic.dropFirst(front.count).dropLast(back.count)
    return device.contains("/") ? nil : String(device)
  }

  /// Who the base stands for, in identifiers: those of two gateways differ.
  var identifier: String { HomeTopics.identifier(base) }

  /// A text as part of an identifier of Home Assistant: letters, digits, `_` and `-`.
  static func identifier(_ text: String) -> String {
    String(
      text.map { character in
        character.isASCII && (character.isLetter || character.isNumber || character == "-")
          ? character : "_"
      })
  }
}
