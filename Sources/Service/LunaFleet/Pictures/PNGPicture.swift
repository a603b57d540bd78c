/// PNG (ISO/IEC 15948): chunks with checksums.
enum PNGPicture {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  static func strip(_ file: [UInt8]) throws(FleetError) -> StrippedPicture {
    var cursor = ByteCursor(file, at: signature.count)
    var size: (width: Int, height: Int)?
    var kept = signature
    kept.reserveCapacity(file.count)
    // IDAT chunks follow each other: 0 before them, 1 among them, 2 behind them.
    var stage = 0
    while true {
      guard let length = cursor.bigEndian32(), let type = cursor.bytes(4),
        let body = cursor.bytes(Int(length)), let sum = cursor.bigEndian32()
      else { throw .damagedPicture("ends too early") }
      guard CRC32.checksum(Array(type + body)) == sum else {
        throw .damagedPicture("has a wrong checksum")
      }
      let name = String(decoding: type, as: UTF8.self)
      guard (name == "IHDR") == (size == nil) else {
        throw .damagedPicture("does not begin with its size")
      }
      if name != "IDAT", stage == 1 { stage = 2 }
      switch name {
      case "IHDR":
        size = try header(body)
        append(name, body, to: &kept)
      case "IDAT":
        guard stage < 2 else { throw .damagedPicture("has pixels in two places") }
        stage = 1
        append(name, body, to: &kept)
      case "PLTE", "tRNS", "iCCP", "sRGB", "gAMA", "cHRM", "cICP":
        guard stage == 0 else { throw .damagedPicture("has parts in a wrong order") }
        append(name, body, to: &kept)
      case "eXIf":
        if stage == 0, let orientation = PictureOrientation(tiff: body) {
          append(name, orientation.tiff, to: &kept)
        }
      case "acTL", "fcTL", "fdAT": throw .animatedPicture
      case "IEND":
        guard let size, stage == 2, body.isEmpty else { throw .damagedPicture("has no pixels") }
        append(name, body, to: &kept)
        guard cursor.rest == 0 else { throw .trailingBytes }
        return StrippedPicture(width: size.width, height: size.height, bytes: kept)
      default:
        // Only what a lower-case letter marks as not needed may be left out.
        guard let first = type.first, first & 0x20 != 0 else {
          throw .damagedPicture("has a part of an unknown kind")
        }
      }
    }
  }

  private static func header(
    _ body: ArraySlice<UInt8>
  ) throws(FleetError) -> (width: Int, height: Int) {
    var cursor = ByteCursor(Array(body))
    guard body.count == 13, let width = cursor.bigEndian32(), let height = cursor.bigEndian32()
    else { throw .damagedPicture("has a size that cannot be") }
    return (Int(width), Int(height))
  }

  private static func append(_ name: String, _ body: some Collection<UInt8>, to file: inout [UInt8])
  {
    let content = Array(name.utf8) + body
    for value in [UInt32(body.count)] {
      file += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    file += content
    let sum = CRC32.checksum(content)
    file += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
  }
}
