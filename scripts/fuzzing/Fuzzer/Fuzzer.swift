import CFuzzer
import FuzzParsers

/// Feeds everything that takes bytes from outside: the parsers, and what works with what they read. The
/// first byte of an input chooses, so that one run and one corpus serve all.
@main
struct Fuzzer {
  private static let all: [@Sendable ([UInt8]) -> Void] =
    Parsers.all.map(\.run) + [
      FollowerRun.run, FinderRun.run, BackendRun.run, ReceiverRun.run, OwnerRun.run,
    ]

  static func main() {
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    _ = LLVMFuzzerRunDriver(&count, &arguments) { data, count in
      if let data, count > 0 {
        let input = UnsafeBufferPointer(start: data, count: count)
        Fuzzer.all[Int(input[0]) % Fuzzer.all.count](Array(input.dropFirst()))
      }
      return 0
    }
  }
}
