import Bluetooth
import CommandSpec
import Diagnosis
import FileOutput
import Glibc
import LunaCore
import LunaMQTT
import MQTT

/// Options of commands that tell a home what they hear.
struct MQTTOptions: Sendable {
  var url: String?
  var passwordFile: String?
  var authorities: String?
  var certificate: String?
  var key: String?
  var discovery = "homeassistant"

  static var group: OptionGroup<MQTTOptions> {
    OptionGroup(
      "MQTT and Home Assistant",
      [
        .value(
          "mqtt", "URL", "Tell a broker, mqtt[s]://[USER@]HOST[:PORT][/PREFIX]", \.url,
          addressReader
        ).fromEnvironment("LUNA_MQTT"),
        .value(
          "mqtt-password-file", "FILE", "Read the password of USER from FILE", \.passwordFile,
          .file),
        .value(
          "mqtt-ca-file", "FILE", "With mqtts: trust the authorities in FILE (PEM)",
          \.authorities, .file
        ).defaulting(to: "the system's"),
        .value(
          "mqtt-certificate", "FILE", "With mqtts: this client's certificate (PEM)",
          \.certificate, .file),
        .value("mqtt-key", "FILE", "With mqtts: the key of the certificate", \.key, .file),
        .value(
          "mqtt-discovery", "PREFIX", "Where Home Assistant looks for devices; off for nowhere",
          \.discovery, .text
        ).defaulting(to: "homeassistant"),
      ])
  }

  /// One with a user, or with what may be a password where a port is due, is looked at in ``check(isRecording:)``
  /// alone: here the whole of it would be shown.
  private static var addressReader: ValueReader<String?> {
    ValueReader<String>.text.map { text throws(ValueProblem) in
      let colons = text.utf8.count { $0 == UInt8(ascii: ":") }
      guard !text.utf8.contains(UInt8(ascii: "@")), colons < 2 else { return text }
      do throws(MQTTError) {
        _ = try MQTTAddress(text)
      } catch {
        throw ValueProblem("is wrong: \(error.reason)", remedy: error.remedy?.description)
      }
      return text
    }
  }

  /// The broker; nil for none.
  var broker: MQTTAddress? { url.flatMap { try? MQTTAddress($0) } }

  /// - Parameter isRecording: a recording is no news.
  func check(isRecording: Bool) throws(ValueProblem) {
    if let url {
      do throws(MQTTError) {
        _ = try MQTTAddress(url)
      } catch {
        throw ValueProblem("--mqtt: \(error.reason)", remedy: error.remedy?.description)
      }
    }
    guard let broker else {
      let isAlone = passwordFile == nil && authorities == nil && certificate == nil && key == nil
      guard isAlone else {
        throw ValueProblem("the options for a broker need --mqtt")
      }
      return
    }
    guard !isRecording else { throw ValueProblem("--mqtt tells of what is heard now, not --read") }
    guard passwordFile == nil || broker.user != nil else {
      throw ValueProblem("--mqtt-password-file needs a USER in --mqtt")
    }
    guard broker.usesTLS || (authorities == nil && certificate == nil && key == nil) else {
      throw ValueProblem("certificates need mqtts://")
    }
    guard (certificate == nil) == (key == nil) else {
      throw ValueProblem("--mqtt-certificate and --mqtt-key belong together")
    }
    guard discovery == "off" || MQTTTopic.isValid(discovery) else {
      throw ValueProblem("--mqtt-discovery is no topic")
    }
  }

  /// The name of this machine.
  static var host: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  var topics: HomeTopics {
    HomeTopics(
      base: broker?.prefix, host: MQTTOptions.host, discovery: discovery == "off" ? nil : discovery)
  }

  /// How the broker is reached; nil without one.
  func configuration(_ command: String) throws(CommandFailure) -> MQTTConfiguration? {
    guard let broker else { return nil }
    var configuration = MQTTConfiguration(
      broker, clientID: "luna-\(command)-\(MQTTTopic.level(MQTTOptions.host))-\(getpid())")
    configuration.password = try passwordFile.map { (path) throws(CommandFailure) in
      try MQTTOptions.password(in: path)
    }
    configuration.authorities = authorities
    configuration.certificate = certificate
    configuration.key = key
    return configuration
  }

  private static func password(in path: String) throws(CommandFailure) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw CommandFailure(
        ExitCode(reading: errno), "cannot read \(path): \(String(cString: strerror(errno)))",
        hint: "write the password into a file that this user can read")
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = read(descriptor, &bytes, bytes.count)
    let line = bytes.prefix(max(0, count)).prefix { $0 != 0x0A && $0 != 0x0D }
    guard count > 0, count < bytes.count, !line.isEmpty,
      let text = String(validating: line, as: UTF8.self), !text.utf8.contains(0)
    else {
      throw CommandFailure(
        .unreadableInput, "\(path) holds no password",
        hint: "write it there as its first line, in fewer than 1,000 bytes")
    }
    return text
  }
}
