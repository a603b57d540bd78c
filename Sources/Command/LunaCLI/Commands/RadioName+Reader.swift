import BlueZ
import Bluetooth
import CommandSpec
import Luna

extension RadioName {
  /// The words for completions.
  static let words = [
    Choice("auto", "the best that permissions allow"),
    Choice("observe", "the kernel's monitor channel, alongside bluetoothd"),
    Choice("mgmt", "the kernel's management interface"),
    Choice("dbus", "bluetoothd's discovery; needs no privilege"),
    Choice("exclusive", "take the adapter away from all other programs"),
    Choice("h4:", "an HCI controller behind TCP, a socket or a serial line"),
    Choice("virtual", "a simulated room; needs no adapter"),
  ]

  /// Reads what `--radio` of some commands can name.
  ///
  /// - Parameters:
  ///   - expects: what that is.
  ///   - words: those of ``words`` that the command takes.
  static func reader(
    expects: String = "auto, observe, mgmt, dbus, exclusive, h4:tcp:HOST:PORT, h4:PATH or "
      + "virtual[:SEED]",
    words: [Choice] = words
  ) -> ValueReader<RadioName?> {
    ValueReader(expects: expects, hint: .suggestions(words)) { text throws(ValueProblem) in
      do throws(SourceError) {
        return try RadioName(text)
      } catch {
        throw ValueProblem("is not a radio path")
      }
    }
  }

  /// Reads `virtual` or `virtual:SEED`.
  static var roomReader: ValueReader<RadioName?> {
    ValueReader(expects: "virtual or virtual:SEED", hint: .suggestions([Choice("virtual")])) {
      text throws(ValueProblem) in
      guard let name = try? RadioName(text), case .virtual = name else {
        throw ValueProblem("has no trackers of its own")
      }
      return name
    }
  }
}
