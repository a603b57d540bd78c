public import Bluetooth

/// Eddystone-URL: service data of 0xFEAA.
///
/// Layout: github.com/google/eddystone, eddystone-url/README.md.
///
/// | Offset | Length | Field |
/// |---|---|---|
/// | 0 | 1 | 0x10: frame type |
/// | 1 | 1 | power at 0 m |
/// | 2 | 1 | scheme, 0–3 |
/// | 3 | 1–17 | the rest; bytes 0x00–0x0D stand for common endings |
public struct EddystoneURL: BeaconFrame {
  /// ``BeaconFamily/eddystoneURL``.
  public static var family: BeaconFamily { .eddystoneURL }

  /// The scheme and the compressed text, as they are on the air.
  public let encoded: AdvertisingPayload
  /// The power at 0 m, dBm.
  public let power: Int8

  /// Reads what follows the service UUID.
  init?(_ data: Span<UInt8>) {
    guard data.count >= 4, data[0] == 0x10, data[2] < EddystoneURL.schemes.count else {
      return nil
    }
    power = data.signed8(at: 1)
    encoded = AdvertisingPayload(copying: data, from: 2, count: data.count &- 2)
  }

  private static var schemes: InlineArray<4, StaticString> {
    ["http://www.", "https://www.", "http://", "https://"]
  }

  private static var endings: InlineArray<14, StaticString> {
    [
      ".com/", ".org/", ".edu/", ".net/", ".info/", ".biz/", ".gov/",
      ".com", ".org", ".edu", ".net", ".info", ".biz", ".gov",
    ]
  }

  /// The web address; nil when it uses codes that are reserved.
  public var url: String? {
    encoded.withBytes { bytes in
      var url = EddystoneURL.schemes[Int(bytes[0])].description
      for index in 1..<bytes.count {
        switch bytes[index] {
        case 0x00...0x0D: url += EddystoneURL.endings[Int(bytes[index])].description
        case 0x21...0x7E: url.unicodeScalars.append(Unicode.Scalar(bytes[index]))
        default: return nil
        }
      }
      return url
    }
  }

  /// `Eddystone-URL`.
  @inlinable public var title: String { "Eddystone-URL" }

  /// url (or encoded, when that cannot be told), power.
  @inlinable
  public func write(to writer: inout some BeaconFieldWriter) {
    if let url {
      writer.string("url", url)
    } else {
      encoded.withBytes { writer.hex("encoded", $0) }
    }
    writer.integer("power", Int(power))
  }
}
