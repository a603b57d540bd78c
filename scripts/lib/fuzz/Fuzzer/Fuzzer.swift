import CFuzzer
import FuzzParsers
import Glibc

/// Feeds everything that takes bytes from outside: the parsers, and what works with what they read. The
/// first byte of an input chooses, so that one run and one corpus serve all.
@main
struct Fuzzer {
  private static let all: [Parsers.Parser] =
    Parsers.all + [
      ("follower", FollowerRun.run), ("finder", FinderRun.run), ("backend", BackendRun.run),
      ("receiver", ReceiverRun.run), ("owner", OwnerRun.run),
    ]
  /// How often each ran; libFuzzer calls from one thread.
  nonisolated(unsafe) private static var executions = all.map { _ in 0 }

  static func main() {
    // libFuzzer ends the process itself. What never ran is not tested, whatever the total is.
    atexit {
      for (target, count) in zip(Fuzzer.all, Fuzzer.executions) {
        print("stat::executions_\(target.name): \(count)")
      }
    }
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    _ = LLVMFuzzerRunDriver(&count, &arguments) { data, count in
      if let data, count > 0 {
        let input = UnsafeBufferPointer(start: data, count: count)
        let target = Int(input[0]) % Fuzzer.all.count
        Fuzzer.executions[target] += 1
        Fuzzer.all[target].run(Array(input.dropFirst()))
      }
      return 0
    }
  }
}
