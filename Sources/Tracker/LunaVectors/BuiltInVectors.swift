import CLunaVectors

/// The vector files that come with this build.
public enum BuiltInVectors {
  /// The vectors of the protocol, and the published ones of what it is made of.
  public static var files: [(name: String, bytes: [UInt8])] {
    [
      ("luna-v1", bytes(luna_vectors_v1)), ("standards", bytes(luna_vectors_standards)),
    ]
  }

  private static func bytes(
    _ file: (UnsafeMutablePointer<Int>?) -> UnsafePointer<UInt8>?
  ) -> [UInt8] {
    var count = 0
    let start = file(&count)
    return Array(UnsafeBufferPointer(start: start, count: count))
  }
}
