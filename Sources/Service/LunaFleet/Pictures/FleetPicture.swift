import Bluetooth
import Diagnosis
public import LunaCrypto

/// A picture as it is kept: without anything but what is needed to show it. Nothing is decoded.
///
/// Only the pixels, the colour profile and the orientation stay; positions, names, dates, thumbnails
/// and comments go, and with them whatever else was hidden in the file.
public struct FleetPicture: Hashable, Sendable {
  /// The largest file that is taken, bytes.
  public static let largest = 768 << 10
  /// The longest side, pixels.
  public static let longestSide = 8192
  /// The most pixels, width times height.
  public static let mostPixels = 25_000_000
  /// How many pictures a fleet has.
  public static let limit = 2000

  /// The format, as the file says by its first bytes, whatever it is called.
  public let format: PictureFormat
  /// Pixels a row, before it is turned.
  public let width: Int
  /// Rows, before it is turned.
  public let height: Int
  /// The file that is kept: what was taken, stripped.
  public let bytes: [UInt8]

  /// Strips a file.
  ///
  /// - Throws: why it is not taken.
  public init(stripping file: [UInt8]) throws(FleetError) {
    guard file.count <= FleetPicture.largest else {
      throw FleetError(
        .pictureTooLarge, "the picture has more than \(FleetPicture.largest >> 10) KiB",
        remedy: "make it smaller: 1,024 pixels are enough")
    }
    guard let format = PictureFormat(file) else {
      throw FleetError(
        .pictureType, "the file is no JPEG, PNG or WebP picture", remedy: "save it as one of these")
    }
    let stripped: StrippedPicture =
      switch format {
      case .jpeg: try JPEGPicture.strip(file)
      case .png: try PNGPicture.strip(file)
      case .webp: try WebPPicture.strip(file)
      }
    try FleetPicture.check(stripped.width, stripped.height)
    self.format = format
    width = stripped.width
    height = stripped.height
    bytes = stripped.bytes
  }

  /// Whether a picture of this size is taken.
  private static func check(_ width: Int, _ height: Int) throws(FleetError) {
    guard width > 0, height > 0 else { throw .damagedPicture("has no pixels") }
    guard width <= longestSide, height <= longestSide, width * height <= mostPixels else {
      throw FleetError(
        .picturePixels, "the picture has \(width) × \(height) pixels, which is too many",
        remedy: "make it smaller: 1,024 pixels are enough")
    }
  }

  /// Its name: SHA-256 of the file in hexadecimal digits.
  public func hash() throws(CryptoError) -> String {
    let digest = try SHA256.digest(of: bytes.span)
    return Hex.lower(digest.indices.map { digest[$0] })
  }
}

extension FleetError {
  static func damagedPicture(_ problem: String) -> FleetError {
    FleetError(.pictureDamaged, "the picture is damaged: it \(problem)", remedy: "save it anew")
  }

  static let trailingBytes = FleetError(
    .pictureTrailing, "more follows the end of the picture", remedy: "save it anew")

  static let animatedPicture = FleetError(
    .pictureAnimated, "the picture moves", remedy: "save one frame of it")
}
