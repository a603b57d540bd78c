import CZBar
import CommandSpec
import FileOutput
import Glibc
import LunaBackend
import LunaJSON

/// `luna backend decoder`: reads the QR code of one picture, in a process of its own with little memory and
/// time: what a stranger's picture does to the library does not happen to the backend, which starts this.
struct BackendDecoderCommand: Sendable {
  private static let seconds: UInt32 = 2
  private static let memory: rlim_t = 128 << 20

  static let command = Command(
    "decoder", "Read the QR code of a picture (PGM) from standard input.",
    initial: BackendDecoderCommand(), exitStatuses: ExitCode.statuses, isHidden: true)

  func run() -> ExitCode {
    do throws(FormatError) {
      let picture = try Graymap(BackendDecoderCommand.input())
      BackendDecoderCommand.confine()
      var text = [UInt8](repeating: 0, count: 4096)
      let count = picture.pixels.withUnsafeBufferPointer { pixels in
        text.withUnsafeMutableBytes { text in
          czb_read(
            pixels.baseAddress, UInt32(picture.width), UInt32(picture.height),
            text.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(text.count))
        }
      }
      guard count >= 0 else { return .lost }
      guard count > 0 else { return .notFound }
      return FileOutput.put(Array(text.prefix(Int(count))), STDOUT_FILENO) == 0 ? .done : .lost
    } catch {
      return .unreadableInput
    }
  }

  private static func input() -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= Graymap.bytes {
      let count = read(STDIN_FILENO, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return bytes
  }

  private static func confine() {
    var data = rlimit(rlim_cur: memory, rlim_max: memory)
    setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &data)
    var core = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &core)
    alarm(seconds)
  }
}
