/// Measures what following devices costs; a JSON line for each row of the table of benchmarks.
/// `luna-bench 9 10` measures these rows; `luna-bench crowd FOLDER` writes what row 11 is fed with.
@main
struct Main {
  static func main() async throws {
    if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "crowd" {
      return try CrowdFiles.write(to: CommandLine.arguments[2])
    }
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
}
