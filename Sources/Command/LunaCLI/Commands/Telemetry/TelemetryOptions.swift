import CommandSpec
import LunaAccount
import LunaTelemetry

/// What telemetry is called, and with which token it is sent.
struct TelemetryOptions: Sendable {
  static let standardRoot = "luna"

  var root = TelemetryOptions.standardRoot
  var mode = AuthMode.accessToken
  var whenSignedOut = TelemetryConfiguration.WhenSignedOut.keep

  /// - Parameter sends: whether the command sends, too.
  static func group(sends: Bool = true) -> OptionGroup<TelemetryOptions> {
    let root = Option<TelemetryOptions>.value(
      "telemetry-root", "KEY", "The first part of all keys", \.root, rootReader
    ).defaulting(to: standardRoot)
    return OptionGroup(
      "Telemetry",
      [root]
        + (sends
          ? [
            .value(
              "telemetry-mode", "MODE",
              "With --sign-in: send it with the accessToken, or jwt, the ID token", \.mode, .choice
            ).defaulting(to: "accessToken"),
            .value(
              "when-signed-out", "WHAT", "With --sign-in, while nobody is: keep or drop what waits",
              \.whenSignedOut, .choice
            ).defaulting(to: "keep"),
          ] : [])
    ).fromEnvironment("LUNA")
  }

  private static var rootReader: ValueReader<String> {
    ValueReader(expects: "1 to 8 parts of letters, digits, - and _, joined by dots", hint: .text) {
      text throws(ValueProblem) in
      guard Telemetry.isRoot(text) else { throw ValueProblem("is no root of keys") }
      return text
    }
  }
}
