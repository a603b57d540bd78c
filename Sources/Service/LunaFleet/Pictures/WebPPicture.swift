/// WebP (RFC 9649): chunks of RIFF.
enum WebPPicture {
  private static let exif = Array("Exif\0\0".utf8)

  private struct Flags {
    static let profile: UInt8 = 0x20
    static let alpha: UInt8 = 0x10
    static let exif: UInt8 = 0x08
    static let animation: UInt8 = 0x02
  }

  static func strip(_ file: [UInt8]) throws(FleetError) -> StrippedPicture {
    var cursor = ByteCursor(file, at: 4)
    guard let length = cursor.littleEndian32(), length >= 4 else {
      throw .damagedPicture("ends too early")
    }
    guard Int(length) + 8 <= file.count else { throw .damagedPicture("ends too early") }
    guard Int(length) + 8 == file.count else { throw .trailingBytes }
    _ = cursor.bytes(4)
    var canvas: (width: Int, height: Int)?
    var pixels: (width: Int, height: Int)?
    var flags: UInt8?
    var orientation: PictureOrientation?
    var (profile, alpha, image): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
    while cursor.rest > 0 {
      guard let type = cursor.bytes(4), let length = cursor.littleEndian32(),
        let slice = cursor.bytes(Int(length)), length & 1 == 0 || cursor.byte() != nil
      else { throw .damagedPicture("ends too early") }
      let (name, body) = (String(decoding: type, as: UTF8.self), Array(slice))
      switch name {
      case "VP8X":
        guard flags == nil, pixels == nil, body.count == 10 else {
          throw .damagedPicture("has a header that cannot be")
        }
        guard body[0] & Flags.animation == 0 else { throw .animatedPicture }
        flags = body[0]
        canvas = (1 + number(body, 4, 3), 1 + number(body, 7, 3))
      case "VP8 ", "VP8L":
        guard pixels == nil else { throw .damagedPicture("has two pictures") }
        pixels = name == "VP8 " ? lossy(body) : lossless(body)
        guard pixels != nil else { throw .damagedPicture("has a size that cannot be") }
        image = chunk(name, body)
      case "ALPH": if flags != nil, pixels == nil { alpha = chunk(name, body) }
      case "ICCP": if flags != nil, pixels == nil { profile = chunk(name, body) }
      case "EXIF":
        // Some writers put the header of JPEG's Exif in front.
        let tiff = body.starts(with: exif) ? body[exif.count...] : body[...]
        orientation = orientation ?? PictureOrientation(tiff: tiff)
      case "ANIM", "ANMF": throw .animatedPicture
      default: break
      }
    }
    guard let pixels else { throw .damagedPicture("has no pixels") }
    if let canvas, canvas != pixels { throw .damagedPicture("has two sizes") }
    var content = Array("WEBP".utf8)
    if let flags {
      var kept = flags & Flags.alpha
      if !profile.isEmpty { kept |= Flags.profile }
      if orientation != nil { kept |= Flags.exif }
      let size = [pixels.width - 1, pixels.height - 1].flatMap { side in
        [0, 8, 16].map { UInt8(truncatingIfNeeded: side >> $0) }
      }
      content += chunk("VP8X", [kept, 0, 0, 0] + size) + profile + alpha + image
      if let orientation { content += chunk("EXIF", orientation.tiff) }
    } else {
      content += image
    }
    return StrippedPicture(
      width: pixels.width, height: pixels.height, bytes: chunk("RIFF", content))
  }

  private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
    bytes[start..<start + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// The size in a key frame of VP8 (RFC 6386, 9.1).
  private static func lossy(_ body: [UInt8]) -> (width: Int, height: Int)? {
    guard body.count >= 10, body[0] & 1 == 0, body[3..<6].elementsEqual([0x9D, 0x01, 0x2A]) else {
      return nil
    }
    return (number(body, 6, 2) & 0x3FFF, number(body, 8, 2) & 0x3FFF)
  }

  /// The size in a lossless picture (RFC 9649, 3.4).
  private static func lossless(_ body: [UInt8]) -> (width: Int, height: Int)? {
    guard body.count >= 5, body[0] == 0x2F else { return nil }
    let bits = number(body, 1, 4)
    return (1 + bits & 0x3FFF, 1 + bits >> 14 & 0x3FFF)
  }

  private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    let length = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: body.count >> $0) }
    return Array(name.utf8) + length + body + (body.count & 1 == 1 ? [0] : [])
  }
}
