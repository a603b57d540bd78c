import Glibc

/// Measures what following devices costs; a JSON line for each row of the table of benchmarks.
/// `luna-bench check` does not measure: it tests what takes too long without the optimiser.
/// `luna-bench 9 10` measures these rows; `luna-bench crowd FOLDER` writes what row 11 is fed with;
/// `luna-bench week` is a gateway whose backend is gone for a week; `luna-bench floods` is one among whose
/// trackers somebody makes others up, in many ways, and `luna-bench floods 2000` with so many reports a second.
@main
struct Main {
  static func main() async throws {
    if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "crowd" {
      return try CrowdFiles.write(to: CommandLine.arguments[2])
    }
    if CommandLine.arguments.dropFirst() == ["check"] { return try await check() }
    if CommandLine.arguments.dropFirst() == ["week"] {
      let problems = try await FinderYear.week()
      for problem in problems { print(problem) }
      if !problems.isEmpty { exit(1) }
      return
    }
    if CommandLine.arguments.dropFirst().first == "floods" {
      let rates = CommandLine.arguments.dropFirst(2).compactMap { Int($0) }
      let (count, failures) = try await FloodGrid.run(rates)
      print("\(count - failures) passed, \(failures) failed")
      if failures > 0 { exit(1) }
      return
    }
    if let unknown = CommandLine.arguments.dropFirst().first(where: { Int($0) == nil }) {
      print(
        "luna-bench: \(unknown)? luna-bench [ROW ...] | check | crowd FOLDER | floods [RATE ...] | week"
      )
      exit(2)
    }
    let rows = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    func wants(_ row: Int) -> Bool { rows.isEmpty || rows.contains(row) }
    if wants(17) { try await TelemetryBenchmarks.logging() }
    if wants(14) { try UplinkBenchmarks.signFlips() }
    if wants(15) { try UplinkBenchmarks.judge() }
    if wants(16) { try UplinkBenchmarks.power() }
    if wants(18) { try FairnessBenchmarks.falseAlarms() }
    if wants(19) { try FairnessBenchmarks.slowdowns() }
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

  /// A simulated year of following and one of a gateway, and a million addresses that are never heard
  /// again.
  private static func check() async throws {
    let year = try YearSimulation.run()
    let problems = try await FinderYear.run()
    for problem in problems { print("a year of luna finder: \(problem)") }
    let growth = try LiveBenchmarks.rotatingAddresses()
    if growth >= 4 { print("memory grew by \(growth) MiB over 900,000 addresses") }
    let passed = [year, problems.isEmpty, growth < 4].count { $0 }
    print("\(passed) passed, \(3 - passed) failed")
    if passed < 3 { exit(1) }
  }
}
