/// The forms of pictures in which codes are looked for: no other is read of what somebody has sent.
package enum PictureForm: String, Sendable {
  case png, jpeg

  /// The form of a file by its first bytes; nil when it is neither.
  package init?(_ bytes: [UInt8]) {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else {
      return nil
    }
  }
}
