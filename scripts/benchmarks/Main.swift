/// Measures what following devices costs; a JSON line for each row of the table of benchmarks.
@main
struct Main {
  static func main() throws {
    let rows = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    func wants(_ row: Int) -> Bool { rows.isEmpty || rows.contains(row) }
    if wants(13) { try LiveBenchmarks.rotatingAddresses() }
    if wants(11) { try LiveBenchmarks.crowd() }
    if wants(8) { TableBenchmarks.lookUps() }
    if wants(7) { try TableBenchmarks.eddystone() }
    if wants(6) { TableBenchmarks.luna() }
  }
}
