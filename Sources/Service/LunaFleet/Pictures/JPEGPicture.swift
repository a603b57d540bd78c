/// JPEG (ITU-T T.81): segments between markers, and the data of scans.
enum JPEGPicture {
  private static let exif = Array("Exif\0\0".utf8)
  private static let profile = Array("ICC_PROFILE\0".utf8)
  private static let adobe = Array("Adobe".utf8)
  private static let jfif = Array("JFIF\0".utf8)
  /// Version 1.01, no unit, no thumbnail.
  private static let plainJFIF: [UInt8] =
    [0xFF, 0xE0, 0, 16] + jfif + [1, 1, 0, 0, 1, 0, 1, 0, 0]

  static func strip(_ file: [UInt8]) throws(FleetError) -> StrippedPicture {
    var cursor = ByteCursor(file, at: 2)
    var (size, hasScan): ((width: Int, height: Int)?, Bool) = (nil, false)
    var (isJFIF, orientation): (Bool, PictureOrientation?) = (false, nil)
    var kept: [UInt8] = []
    kept.reserveCapacity(file.count)
    var marker = try nextMarker(&cursor)
    while marker != 0xD9 {
      guard let length = cursor.bigEndian16(), length >= 2,
        let body = cursor.bytes(length - 2)
      else { throw .damagedPicture("ends too early") }
      func keep() { kept += [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + body }
      switch marker {
      case 0xC0, 0xC1, 0xC2:
        guard size == nil else { throw .damagedPicture("has two frames") }
        size = try frame(body)
        keep()
      case 0xC4, 0xCC, 0xDB, 0xDD: keep()
      case 0xDA:
        guard size != nil else { throw .damagedPicture("has no frame before its pixels") }
        hasScan = true
        keep()
        kept += try scan(&cursor, file)
      case 0xE0: isJFIF = isJFIF || body.starts(with: jfif)
      case 0xE1 where body.starts(with: exif) && !hasScan:
        orientation = orientation ?? PictureOrientation(tiff: body.dropFirst(exif.count))
      case 0xE2 where body.starts(with: profile) && !hasScan: keep()
      // Says how colours are coded; what follows its 12 bytes is nothing that belongs there.
      case 0xEE where body.starts(with: adobe) && body.count >= 12 && !hasScan:
        kept += [0xFF, 0xEE, 0, 14] + body.prefix(12)
      case 0xE1...0xEF, 0xFE: break
      default: throw .damagedPicture("has a part of an unknown kind")
      }
      marker = try nextMarker(&cursor)
    }
    guard let size, hasScan else { throw .damagedPicture("has no pixels") }
    guard cursor.rest == 0 else { throw .trailingBytes }
    var head: [UInt8] = [0xFF, 0xD8]
    if isJFIF { head += plainJFIF }
    if let orientation {
      let tiff = orientation.tiff
      head += [0xFF, 0xE1, 0, UInt8(2 + exif.count + tiff.count)] + exif + tiff
    }
    return StrippedPicture(
      width: size.width, height: size.height, bytes: head + kept + [0xFF, 0xD9])
  }

  /// The next marker, with any number of bytes FF before it.
  private static func nextMarker(_ cursor: inout ByteCursor) throws(FleetError) -> UInt8 {
    guard cursor.byte() == 0xFF else { throw .damagedPicture("has bytes between its parts") }
    while let byte = cursor.byte() {
      if byte != 0xFF { return byte }
    }
    throw .damagedPicture("ends too early")
  }

  private static func frame(
    _ body: ArraySlice<UInt8>
  ) throws(FleetError) -> (width: Int, height: Int) {
    let body = Array(body)
    guard body.count >= 6, body[0] == 8, [1, 3, 4].contains(body[5]),
      body.count == 6 + 3 * Int(body[5])
    else { throw .damagedPicture("has a frame that cannot be") }
    return (Int(body[3]) << 8 | Int(body[4]), Int(body[1]) << 8 | Int(body[2]))
  }

  /// The data up to the next marker that is not part of it.
  private static func scan(
    _ cursor: inout ByteCursor, _ file: [UInt8]
  ) throws(FleetError) -> ArraySlice<UInt8> {
    let (start, bytes) = (cursor.position, file.span)
    var end = start
    while end + 1 < bytes.count {
      if bytes[end] == 0xFF, bytes[end + 1] != 0, !(0xD0...0xD7).contains(bytes[end + 1]) { break }
      end += 1
    }
    guard end + 1 < bytes.count, let data = cursor.bytes(end - start) else {
      throw .damagedPicture("ends too early")
    }
    return data
  }
}
