/// Who else uses the adapters: what the monitor channel told for some time, and what /proc tells.
package struct NeighbourSurvey: Hashable, Sendable {
  /// A program with a Bluetooth socket, as the kernel introduces it on the monitor channel.
  package struct Program: Hashable, Sendable {
    /// What it does with it.
    package enum Use: Hashable, Sendable {
      /// Sends HCI commands beside the kernel.
      case raw
      /// Has an adapter for itself.
      case exclusive
      /// Uses the kernel's management.
      case management
    }

    /// What the kernel calls it, at most 15 bytes: `bluetoothd`.
    package var name: String
    package var use: Use
    /// N of hciN, when the socket is bound to one.
    package var adapter: UInt16?

    package init(name: String, use: Use, adapter: UInt16? = nil) {
      self.name = name
      self.use = use
      self.adapter = adapter
    }
  }

  /// A management command that the kernel refused.
  package struct Refusal: Hashable, Sendable {
    /// The command, as the documentation calls it: `Start Discovery`.
    package var command: String
    /// Why: `Busy`.
    package var status: String
    /// N of hciN.
    package var adapter: UInt16

    package init(command: String, status: String, adapter: UInt16 = 0) {
      self.command = command
      self.status = status
      self.adapter = adapter
    }
  }

  /// Whether the monitor channel could be read; without it, only /proc tells.
  package var couldListen: Bool
  /// The programs with sockets of their own, without this process where it can be told apart.
  package var programs: [Program]
  /// The processes with sockets, as far as this one may look into them: `btmon (312)`.
  package var holders: [String]
  /// How many advertising reports came meanwhile, by adapter.
  package var reports: [UInt16: Int]
  /// The commands that were refused meanwhile.
  package var refusals: [Refusal]

  package init(
    couldListen: Bool = true, programs: [Program] = [], holders: [String] = [],
    reports: [UInt16: Int] = [:], refusals: [Refusal] = []
  ) {
    self.couldListen = couldListen
    self.programs = programs
    self.holders = holders
    self.reports = reports
    self.refusals = refusals
  }
}
