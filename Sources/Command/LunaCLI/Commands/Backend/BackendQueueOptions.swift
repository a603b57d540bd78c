import CommandSpec
import LunaBackend

/// How a backend uses its storage.
struct BackendQueueOptions: Sendable {
  var settings = StorageSettings()

  static var group: OptionGroup<BackendQueueOptions> {
    OptionGroup(
      "Use of the storage",
      [
        .value(
          "store-connections", "N",
          "Use N connections to PostgreSQL; a file is read over half of N",
          \.settings.connections, .integer(1...1000)
        ).defaulting(to: "4"),
        .value(
          "store-queue", "N", "Let at most N events wait for the disk", \.settings.capacity,
          .integer(1000...10_000_000)
        ).defaulting(to: "20000"),
      ])
  }
}
