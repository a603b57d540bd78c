import CBoard

/// The program of a board that answers vectors of the protocol in the place of being a tracker: a line on its console
/// is a case, and is answered by a line. scripts/firmware/vectors types them, and compares.
@main final class VectorProgram {
  /// How long it sleeps when nothing is typed, µs.
  private static let pause: UInt64 = 1_000_000

  static func main() {
    write(Array("vectors".utf8))
    var line: [UInt8] = []
    while true {
      let byte = luna_console_read()
      if byte < 0 {
        luna_sleep_until(luna_microseconds() + pause)
      } else if byte == 0x0A {
        write(answer(to: line))
        line = []
      } else {
        line.append(UInt8(truncatingIfNeeded: byte))
      }
    }
  }

  /// A line that nobody understands, or that cannot be computed, is answered by one that no vector expects.
  @inline(never) private static func answer(to line: [UInt8]) -> [UInt8] {
    guard var fields = VectorFields(line) else { return Array("? line".utf8) }
    do throws(VectorFault) {
      return try VectorFunction.next(in: &fields).answer(&fields).line
    } catch {
      switch error {
      case .rejected: return Array("!".utf8)
      case .input: return Array("? input".utf8)
      case .crypto: return Array("? crypto".utf8)
      }
    }
  }

  private static func write(_ line: [UInt8]) {
    var ended = line
    ended.append(0x0D)
    ended.append(0x0A)
    ended.withUnsafeBufferPointer { luna_console_write($0.baseAddress, $0.count) }
  }
}
