package import Bluetooth
import LunaCore

/// Times as tables show them, in UTC as everywhere; their heads say so.
package enum ClockText {
  /// `2026-01-02 03:04:05`
  package static func dateAndTime(_ time: Timestamp) -> String {
    let text = time.rfc3339
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))"
  }

  /// `03:04:05`
  package static func time(_ time: Timestamp) -> String {
    String(time.rfc3339.dropFirst(11).prefix(8))
  }
}
