import Glibc
import LunaCrypto

/// A figure of one row of the table of benchmarks.
struct Measurement {
  /// The row of the table.
  let row: Int
  let name: String
  /// What was reached, and in what.
  let value: Double
  let unit: String
  /// Other figures worth having.
  var details: [(String, Double)] = []

  /// Prints it as a JSON line.
  func report() {
    var text =
      "{\"row\":\(row),\"name\":\"\(name)\",\"value\":\(rounded(value)),\"unit\":\"\(unit)\""
    for (name, value) in details { text += ",\"\(name)\":\(rounded(value))" }
    print(text + "}")
    fflush(nil)
  }

  private func rounded(_ value: Double) -> String {
    let scaled = (value * 1000).rounded() / 1000
    return scaled == scaled.rounded() && abs(scaled) < 1e15 ? "\(Int64(scaled))" : "\(scaled)"
  }
}

/// The time of a clock of the system, s.
func seconds(_ clock: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The median over some runs of the time that `body` takes: by the wall, and of the processors.
func measure(runs: Int, _ body: () throws -> Void) rethrows -> (wall: Double, processor: Double) {
  var walls: [Double] = []
  var processors: [Double] = []
  for _ in 0..<runs {
    let wall = seconds(CLOCK_MONOTONIC)
    let processor = seconds(CLOCK_PROCESS_CPUTIME_ID)
    try body()
    walls.append(seconds(CLOCK_MONOTONIC) - wall)
    processors.append(seconds(CLOCK_PROCESS_CPUTIME_ID) - processor)
  }
  return (walls.sorted()[runs / 2], processors.sorted()[runs / 2])
}

/// Takes a result, so that the optimiser cannot leave out what leads to it.
@inline(never)
func blackHole(_ value: UInt64) {
  if value == 0x5EED_0000_0000_5EED { print("") }
}

/// The memory of this process, MiB.
func residentMemory() -> Double {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 128)
  guard fgets(&line, 128, file) != nil else { return 0 }
  let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  let pages = Double(text.split(separator: " ")[1]) ?? 0
  return pages * 4096 / 1_048_576
}

/// A generator whose numbers depend on its seed alone (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  mutating func secret(_ count: Int) -> SecretBytes {
    let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 24) }
    return SecretBytes(copying: bytes.span)
  }
}
