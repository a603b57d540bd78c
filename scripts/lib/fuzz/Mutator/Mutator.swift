import FuzzParsers
import Glibc

/// Feeds the parsers with changed seeds, as fast as it can, in a build as users have it: what traps
/// there traps here. `luna-mutate CORPUS EXECUTIONS SEED [FIRST [PARSER]]`
///
/// With the name of a parser it alone is fed, with whole documents, and memory must not grow.
///
/// Each execution depends on the seed and its number alone. After a trap the last line names the
/// block in which it happened; running from there on finds it again.
@main
struct Mutator {
  /// Executions in a block, each of which one parser gets.
  private static let block: UInt64 = 65_536
  /// The longest input; what is short is quick, and nearly all structures are.
  private static let longest = 96
  /// The same for one parser alone: a document is whole in it.
  private static let whole = 2_048
  /// By how much memory may grow, MiB.
  private static let growth = 32.0

  static func main() {
    let words = CommandLine.arguments
    guard words.count >= 4, let executions = UInt64(words[2]), let seed = UInt64(words[3]) else {
      print("usage: luna-mutate CORPUS EXECUTIONS SEED [FIRST [PARSER]]")
      exit(2)
    }
    let first = words.count > 4 ? UInt64(words[4]) ?? 0 : 0
    var only: Int?
    if words.count > 5 {
      only = Parsers.all.firstIndex { $0.name == words[5] }
      guard only != nil else {
        print("there is no parser \(words[5])")
        exit(2)
      }
    }
    let longest = only == nil ? Mutator.longest : whole
    let seeds = readSeeds(words[1], longest)
    guard seeds.contains(where: { !$0.isEmpty }) else {
      print("no seeds in \(words[1])")
      exit(2)
    }
    var before: Double?
    let clock = ContinuousClock()
    let began = clock.now
    var told = began
    var number = first / block * block
    while number < first + executions {
      if clock.now - told >= .seconds(30) {
        told = clock.now
        report(number - first, clock.now - began, seed, number)
      }
      run(seed, number, seeds, only, longest)
      number += block
      // What is kept for later is there after the first ones.
      if before == nil { before = residentMemory() }
    }
    report(number - first, clock.now - began, seed, number)
    let more = residentMemory() - (before ?? 0)
    guard only == nil || more < growth else {
      print("memory grew by \(Int(more)) MiB")
      exit(1)
    }
  }

  /// The memory of this process, MiB.
  private static func residentMemory() -> Double {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, 128, file) != nil else { return 0 }
    let text = String(
      decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return Double(text.split(separator: " ")[1]).map { $0 * 4096 / 1_048_576 } ?? 0
  }

  private static func report(
    _ executions: UInt64, _ duration: Duration, _ seed: UInt64, _ next: UInt64
  ) {
    let seconds = max(duration / .seconds(1), 0.001)
    print(
      "\(executions) executions in \(Int(seconds)) s, \(Int(Double(executions) / seconds)) a second; "
        + "seed \(seed), next \(next)")
    fflush(nil)
  }

  /// One block: a parser that the number chooses, or the only one.
  private static func run(
    _ seed: UInt64, _ number: UInt64, _ seeds: [[[UInt8]]], _ only: Int?, _ longest: Int
  ) {
    // Known before it begins, so that a trap does not take it along.
    place(seed, number)
    let parser = only ?? Int(number / block % UInt64(Parsers.all.count))
    let run = Parsers.all[parser].run
    var source = Source(state: seed ^ number &* 0x9E37_79B9_7F4A_7C15)
    let own = seeds[parser]
    var input: [UInt8] = []
    input.reserveCapacity(2 * longest)
    for _ in 0..<block {
      if input.isEmpty || source.next() & 15 == 0 {
        input = own.isEmpty ? [0] : own[Int(source.next() % UInt64(own.count))]
      }
      change(&input, &source, longest)
      run(input)
    }
  }

  /// The present block, for the handler of a trap.
  nonisolated(unsafe) private static var present: (seed: UInt64, number: UInt64) = (0, 0)
  private static let handlers: Void = {
    for number in [SIGILL, SIGTRAP, SIGSEGV, SIGABRT, SIGBUS] {
      signal(number) { number in
        print(
          "a trap (signal \(number)): seed \(Mutator.present.seed), in the block from \(Mutator.present.number)"
        )
        fflush(nil)
        _exit(1)
      }
    }
  }()

  private static func place(_ seed: UInt64, _ number: UInt64) {
    _ = handlers
    present = (seed, number)
  }

  /// A few changes.
  private static func change(_ input: inout [UInt8], _ source: inout Source, _ longest: Int) {
    let random = source.next()
    for round in 0...(random & 3) {
      let choice = random >> (8 * round + 8)
      let value = UInt8(truncatingIfNeeded: choice >> 3)
      guard !input.isEmpty else {
        input.append(value)
        continue
      }
      let place = Int(source.next() % UInt64(input.count))
      switch choice & 7 {
      case 0, 1: input[place] = value
      case 2: input[place] ^= 1 << (value & 7)
      case 3: input[place] = [0, 1, 0x7F, 0x80, 0xFF, 0xFE, 0x20, 0x40][Int(value & 7)]
      case 4: input[place] = input[place] &+ (value & 1 == 0 ? 1 : 0xFF)
      case 5: if input.count < longest { input.insert(value, at: place) }
      case 6: input.remove(at: place)
      default:
        // A run of one value: numbers at their limits.
        let end = min(input.count, place + 1 + Int(value & 7))
        for index in place..<end {
          input[index] = value & 0x10 == 0 ? 0xFF : value & 0x20 == 0 ? 0 : 0x80
        }
      }
    }
  }

  /// SplitMix64.
  private struct Source {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
      return value ^ value >> 31
    }
  }

  /// The short seeds of each parser.
  private static func readSeeds(_ folder: String, _ longest: Int) -> [[[UInt8]]] {
    var seeds: [[[UInt8]]] = Array(repeating: [], count: Parsers.all.count)
    guard let directory = opendir(folder) else { return seeds }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    // In one order, whatever the file system's is.
    for name in names.sorted() {
      guard let file = fopen("\(folder)/\(name)", "r") else { continue }
      defer { fclose(file) }
      var bytes = [UInt8](repeating: 0, count: longest * 16)
      let count = fread(&bytes, 1, bytes.count, file)
      guard count > 1, Int(bytes[0]) < seeds.count else { continue }
      let seed = Array(bytes[1..<count])
      // Texts do not fit into so little; of the rest the beginning is a seed as well.
      seeds[Int(bytes[0])].append(seed.count <= longest ? seed : Array(seed.prefix(longest)))
    }
    return seeds
  }
}
