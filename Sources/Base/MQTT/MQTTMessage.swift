/// A message: what is published, or what has come.
public struct MQTTMessage: Hashable, Sendable {
  /// The name under which it is published.
  public var topic: String
  /// Its content.
  public var payload: [UInt8]
  /// Whether the broker keeps it for who comes later. An empty one takes the kept one away.
  public var isRetained: Bool
  /// Whether it asks for something: it is said each time it is published, whatever was said under its name before, not
  /// again to who comes later, and again after a connection that broke before it was confirmed.
  package var isCommand = false

  /// A message of bytes; without any and retained, it takes away what the broker keeps under the topic.
  public init(_ topic: String, _ payload: [UInt8], isRetained: Bool = false) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
  }

  /// A message that is a text.
  public init(_ topic: String, _ text: String, isRetained: Bool = false) {
    self.init(topic, Array(text.utf8), isRetained: isRetained)
  }
}
