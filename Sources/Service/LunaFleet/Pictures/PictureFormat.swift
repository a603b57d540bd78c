/// The pictures that are kept.
public enum PictureFormat: String, Sendable, CaseIterable {
  case jpeg = "image/jpeg"
  case png = "image/png"
  case webp = "image/webp"

  /// The format that bytes begin as; nil for any other.
  public init?(_ bytes: [UInt8]) {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if bytes.starts(with: PNGPicture.signature) {
      self = .png
    } else if bytes.count >= 12, bytes.starts(with: "RIFF".utf8),
      bytes[8..<12].elementsEqual("WEBP".utf8)
    {
      self = .webp
    } else {
      return nil
    }
  }
}
