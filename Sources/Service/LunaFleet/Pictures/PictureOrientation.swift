/// How a picture is to be turned, which Exif says among all that goes.
struct PictureOrientation {
  private static let tag = 0x0112

  /// 1 to 8; 1 is as it is.
  let value: UInt8

  /// The orientation in the TIFF structure of Exif; nil where there is none, or none that turns.
  init?(tiff bytes: ArraySlice<UInt8>) {
    let bytes = Array(bytes)
    let isBig: Bool
    switch bytes.prefix(4) {
    case [0x4D, 0x4D, 0, 0x2A]: isBig = true
    case [0x49, 0x49, 0x2A, 0]: isBig = false
    default: return nil
    }
    func number(_ position: Int, _ count: Int) -> Int? {
      guard position >= 0, position <= bytes.count - count else { return nil }
      let part = bytes[position..<position + count]
      return isBig
        ? part.reduce(0) { $0 << 8 | Int($1) } : part.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    guard let directory = number(4, 4), let count = number(directory, 2) else { return nil }
    for index in 0..<count {
      let entry = directory + 2 + 12 * index
      guard let tag = number(entry, 2) else { return nil }
      guard tag == PictureOrientation.tag else { continue }
      guard number(entry + 2, 2) == 3, number(entry + 4, 4) == 1,
        let value = number(entry + 8, 2), (2...8).contains(value)
      else { return nil }
      self.value = UInt8(value)
      return
    }
    return nil
  }

  /// A TIFF structure that says nothing else.
  var tiff: [UInt8] {
    [
      0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, value, 0, 0, 0, 0, 0,
      0,
    ]
  }
}
