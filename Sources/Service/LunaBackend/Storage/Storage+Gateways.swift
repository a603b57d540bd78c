import Bluetooth
import LunaCore

extension Storage {
  /// What a gateway told at its last upload; nil when it never uploaded.
  func gateway(named name: String) async throws(StorageError) -> GatewayRecord? {
    try await lookUp { store throws(StorageError) in
      try store.row(
        "SELECT seen, version, uptime, queue_depth FROM luna.gateways WHERE name = $1",
        [.text(name)]
      ).map { row in
        let report = row.optionalText(1).map { version in
          GatewayReport(version: version, uptime: row.integer(2), queueDepth: row.integer(3))
        }
        return GatewayRecord(
          name: name, seenAt: Timestamp(microseconds: row.integer(0)), report: report)
      }
    }
  }
}
