import EventLoop
import Luna
import LunaCore
import LunaFinder
import LunaHome
import LunaNotify
import LunaStore
import Prometheus

/// The numbers of a home for Prometheus: how its trackers are, what its rules do, and whether people are told.
enum HomeMetrics {
  static func text(_ api: HomeAPI) async throws -> String {
    var text = MetricsText()
    text.add(await api.home.snapshot())
    let firings = await api.home.firingCounts
    text.counter(
      "luna_home_firings_total", "How often a rule ran since the home began.",
      firings.sorted { $0.key < $1.key }.map { ([("rule", $0.key)], Double($0.value)) })
    let (waiting, failed) = try await api.accounts.store.read {
      (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      (
        try OutboxTable.count(.waiting, in: database.connection),
        try OutboxTable.count(.failed, in: database.connection)
      )
    }
    text.gauge(
      "luna_home_outbox", "Messages to people that wait, and those that were put aside.",
      [([("state", "waiting")], Double(waiting)), ([("state", "failed")], Double(failed))])
    let memory = await Blocking.run { MachineHealth.ofThisMachine(files: nil).memoryMiB }
    if let memory {
      text.gauge(
        "process_resident_memory_bytes", "How much of the process is in memory.",
        [([], memory * 1_048_576)])
    }
    return text.text
  }
}
