import SafeText

/// The names under which messages are published (MQTT 3.1.1, 4.7).
public enum MQTTTopic {
  /// Whether a message can be published under this name.
  public static func isValid(_ topic: String) -> Bool {
    !topic.isEmpty && topic.utf8.count <= 1024 && !topic.hasPrefix("$")
      && topic.unicodeScalars.allSatisfy { isPlain($0) } && !topic.hasPrefix("/")
      && !topic.hasSuffix("/") && !topic.contains(text: "//")
  }

  /// One level of a topic, made of any text: what means something in topics, and what no terminal
  /// should be sent, is `_`.
  public static func level(_ text: String) -> String {
    var level = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(128) {
      level.append(isPlain(scalar) && scalar != "/" && scalar != "$" ? scalar : "_")
    }
    return level.isEmpty ? "_" : String(level)
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      false
    default: scalar != "+" && scalar != "#"
    }
  }
}
