import Gzip

extension QRCode {
  /// The code as a PNG picture (ISO/IEC 15948) with one bit for each pixel; nil when there is no memory
  /// for it.
  ///
  /// - Parameter scale: pixels for each side of a module.
  package func png(scale: Int = 8) -> [UInt8]? {
    let side = (width + 2 * QRCode.margin) * scale
    var pixels: [UInt8] = []
    for row in 0..<(width + 2 * QRCode.margin) {
      // No filter, then white pixels.
      var line = [UInt8](repeating: 0xFF, count: 1 + (side + 7) / 8)
      line[0] = 0
      for column in 0..<width where isDark(row - QRCode.margin, column) {
        for pixel in (column + QRCode.margin) * scale..<(column + QRCode.margin + 1) * scale {
          line[1 + pixel / 8] &= ~(0x80 >> UInt8(pixel % 8))
        }
      }
      for _ in 0..<scale { pixels += line }
    }
    guard let data = Gzip.zlib(pixels) else { return nil }
    let size = bigEndian(UInt32(side))
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      // One bit, grey.
      + chunk("IHDR", size + size + [1, 0, 0, 0, 0]) + chunk("IDAT", data) + chunk("IEND", [])
  }

  private func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    let content = Array(name.utf8) + body
    return bigEndian(UInt32(body.count)) + content + bigEndian(Gzip.checksum(content))
  }

  private func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
