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

  /// What ``write(to:)`` can write.
  public static var fields: [BeaconField] { [.text("url"), .hex("encoded"), .number("power")] }

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
      let text = bytes.extracting(1..<bytes.count)
      for index in text.indices {
        switch text[index] {
        case 0x00...0x0D, 0x21...0x7E: break
        default: return nil
        }
      }
      // No scheme is longer than 12 characters, no ending than 6.
      return unsafe String(unsafeUninitializedCapacity: 12 &+ 6 &* text.count) { url in
        var count = 0
        func append(_ part: StaticString) {
          part.withUTF8Buffer { characters in
            for index in characters.indices {
              unsafe url[count] = characters[index]
              count &+= 1
            }
          }
        }
        append(EddystoneURL.schemes[Int(bytes[0])])
        for index in text.indices {
          if text[index] < EddystoneURL.endings.count {
            append(EddystoneURL.endings[Int(text[index])])
          } else {
            unsafe url[count] = text[index]
            count &+= 1
          }
        }
        return count
      }
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
