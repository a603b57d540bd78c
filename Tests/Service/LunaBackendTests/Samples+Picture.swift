extension Samples {
  /// One pixel of lossless WebP, as far as its header.
  static let webp: [UInt8] =
    Array("RIFF".utf8) + [18, 0, 0, 0] + Array("WEBPVP8L".utf8) + [5, 0, 0, 0]
    + [0x2F, 0, 0, 0, 0, 0]
}
