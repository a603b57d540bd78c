import LunaProtocol
import QRCodes

extension QRCode {
  /// The code of a text, as an address that has the picture in it: one that is asked for would tell what is secret to logs.
  /// Nil where libqrencode is missing.
  static func address(of text: String) -> String? {
    guard let picture = QRCode(text, level: .low)?.png(scale: 4) else { return nil }
    return "data:image/png;base64," + Base64.encode(picture.span)
  }
}
