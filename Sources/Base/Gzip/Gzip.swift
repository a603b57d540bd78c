import CZlib

/// The gzip format (RFC 1952).
public enum Gzip {
  /// The bytes of one gzip member that is the whole input.
  ///
  /// - Parameter limit: at most so many bytes come out; a longer result stops when it is reached,
  ///   however much more there would be.
  public static func inflate(_ bytes: [UInt8], limit: Int) throws(GzipError) -> [UInt8] {
    var stream = z_stream()
    guard czlib_inflate_start(&stream) == Z_OK else { throw .malformed }
    defer { inflateEnd(&stream) }
    // One more than allowed, to see that there is more.
    let capacity = limit + 1
    var result: [UInt8] = []
    var state = Z_OK
    var source = bytes
    source.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(clamping: input.count)
      // Room grows with what comes out: a small body must not cost the limit.
      var room = min(capacity, max(1024, 4 * input.count))
      while state == Z_OK, result.count < capacity {
        let before = result.count
        result.append(contentsOf: repeatElement(0, count: min(room, capacity - before)))
        result.withUnsafeMutableBufferPointer { output in
          stream.next_out = output.baseAddress.map { $0 + before }
          stream.avail_out = UInt32(clamping: output.count - before)
          state = CZlib.inflate(&stream, Z_NO_FLUSH)
        }
        result.removeLast(Int(stream.avail_out))
        if result.count == before { break }
        room = max(room, result.count)
      }
    }
    guard result.count <= limit else { throw .tooLong }
    guard state == Z_STREAM_END, stream.avail_in == 0 else { throw .malformed }
    return result
  }

  /// The bytes as one gzip member; nil when there is no memory for it.
  public static func deflate(_ bytes: [UInt8]) -> [UInt8]? {
    compress(bytes) { czlib_deflate_start($0) }
  }

  /// The bytes in the zlib format (RFC 1950), as PNG has them within; nil when there is no memory for it.
  package static func zlib(_ bytes: [UInt8]) -> [UInt8]? {
    compress(bytes) { czlib_deflate_start_zlib($0) }
  }

  /// The CRC-32 of IEEE 802.3, which gzip and PNG have.
  package static func checksum(_ bytes: [UInt8]) -> UInt32 {
    UInt32(truncatingIfNeeded: crc32(0, bytes, UInt32(clamping: bytes.count)))
  }

  private static func compress(
    _ bytes: [UInt8], _ start: (UnsafeMutablePointer<z_stream>) -> Int32
  ) -> [UInt8]? {
    var stream = z_stream()
    guard start(&stream) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    var source = bytes
    let bound = Int(deflateBound(&stream, UInt(bytes.count)))
    var state = Z_OK
    let result = [UInt8](unsafeUninitializedCapacity: bound) { output, count in
      source.withUnsafeMutableBufferPointer { input in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(clamping: input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(clamping: output.count)
        state = CZlib.deflate(&stream, Z_FINISH)
        count = bound - Int(stream.avail_out)
      }
    }
    return state == Z_STREAM_END ? result : nil
  }
}
