import CLunaVectors
import Gzip

/// The vector files that come with this build.
public enum BuiltInVectors {
  /// The vectors of the protocol, and the published ones of what it is made of.
  public static var files: [(name: String, bytes: [UInt8])] {
    [
      ("luna-v1", inflated(bytes(luna_vectors_v1))), ("standards", bytes(luna_vectors_standards)),
    ]
  }

  /// Those of sealed shares, whose functions a room above this one adds.
  public static var share: (name: String, bytes: [UInt8]) {
    ("share-v1", inflated(bytes(luna_vectors_share)))
  }

  private static func inflated(_ bytes: [UInt8]) -> [UInt8] {
    guard let file = try? Gzip.inflate(bytes, limit: 16 << 20) else {
      preconditionFailure("the vectors of this build are no gzip member")
    }
    return file
  }

  private static func bytes(
    _ file: (UnsafeMutablePointer<Int>?) -> UnsafePointer<UInt8>?
  ) -> [UInt8] {
    var count = 0
    let start = file(&count)
    return Array(UnsafeBufferPointer(start: start, count: count))
  }
}
