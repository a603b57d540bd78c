import Glibc

/// Measures what following devices costs; a JSON line for each row of the table of benchmarks.
/// `luna-bench check` does not measure: it tests what takes too long without the optimiser.
/// `luna-bench 9 10` measures these rows; `luna-bench crowd FOLDER` writes what row 11 is fed with.
@main
struct Main {
  static func main() async throws {
    if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "crowd" {
      return try CrowdFiles.write(to: CommandLine.arguments[2])
    }
    if CommandLine.arguments.dropFirst() == ["check"] { return try check() }
    let rows = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    func wants(_ row: Int) -> Bool { rows.isEmpty || rows.contains(row) }
    if wants(13) { try LiveBenchmarks.rotatingAddresses() }
    if wants(11) { try LiveBenchmarks.crowd() }
    if wants(10) { try await StoreBenchmarks.insert() }
    if wants(9) {
      try ReportBenchmarks.cipher()
      try ReportBenchmarks.reports()
    }
    if wants(8) { TableBenchmarks.lookUps() }
    if wants(7) { try TableBenchmarks.eddystone() }
    if wants(6) { TableBenchmarks.luna() }
  }
  /// A simulated year, and a million addresses that are never heard again.
  private static func check() throws {
    let year = try YearSimulation.run()
    let growth = try LiveBenchmarks.rotatingAddresses()
    if growth >= 4 { print("memory grew by \(growth) MiB over 900,000 addresses") }
    let passed = [year, growth < 4].count { $0 }
    print("\(passed) passed, \(2 - passed) failed")
    if passed < 2 { exit(1) }
  }
}
