extension ReplayFile {
  /// Whether a file is a recording of the air: btsnoop, pcapng, or pcap in one of its forms.
  package static func isCapture(_ bytes: [UInt8]) -> Bool {
    let magics: [[UInt8]] = [
      Array("btsnoop\0".utf8), [0x0A, 0x0D, 0x0D, 0x0A], [0xA1, 0xB2, 0xC3, 0xD4],
      [0xD4, 0xC3, 0xB2, 0xA1], [0xA1, 0xB2, 0x3C, 0x4D], [0x4D, 0x3C, 0xB2, 0xA1],
    ]
    return magics.contains { bytes.starts(with: $0) }
  }
}
