import Glibc

/// What a gateway is to be, as texts that luna finder reads.
struct GatewayAnswers: Sendable {
  var backend = ""
  var location = ""
  /// `first` for the first that can be used.
  var adapter = "first"
  var duty = "auto"

  /// The section of a configuration file.
  func settings(_ client: ClientOptions) -> String {
    var lines = ["backend = \(backend)", "location = \(location)", "duty = \(duty)"]
    if adapter != "first" { lines.append("adapter = \(adapter)") }
    if let file = client.certificates { lines.append("ca-file = \(Self.whole(file))") }
    if !client.proxy.isEmpty { lines.append("proxy = \(client.proxy)") }
    if client.allowsInsecure { lines.append("allow-plain-http = yes") }
    return """
      # Made by luna setup gateway. Every long option of luna finder is a key here; luna config check
      # finds mistakes, and systemctl reload luna-finder reads it again.
      [finder]
      \(lines.joined(separator: "\n"))

      """
  }

  /// The path of a file from everywhere: a service runs in another directory.
  private static func whole(_ file: String) -> String {
    guard !file.hasPrefix("/"), let path = realpath(file, nil) else { return file }
    defer { free(path) }
    return String(cString: path)
  }
}
