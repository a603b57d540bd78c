import BlueZ
import Bluetooth
import LunaClient
import LunaLocation
import LunaStore

/// The machine as a ``Doctor`` reads it: the one door to it, so that tests can put a scripted machine
/// there. Each reading stands for itself, and may hang.
protocol Machine: Sendable {
  /// What the kernel tells of Bluetooth.
  func kernel() async -> KernelSurvey
  /// What the bus and bluetoothd tell.
  func daemon() async -> DaemonSurvey
  /// What bluetoothd says its version is, without a question to the one that runs.
  func daemonVersion(of process: Int32?) async -> String?
  /// Which kernel runs; nil when it does not say.
  func release() async -> KernelRelease?
  /// Who else uses the adapters.
  func neighbours() async -> NeighbourSurvey
  /// Whether somebody keeps the clock right; nil when the kernel does not tell.
  func isClockSynchronised() async -> Bool?
  /// What a location source tells.
  func location(_ choice: LocationChoice) async -> LocationFacts
  /// What a backend tells.
  func backend() async -> BackendExamination
  /// What the queue in a state directory holds.
  func queue(in directory: StateDirectory) async -> QueueFacts
  /// What the file system of a state directory tells.
  func disk(of directory: StateDirectory) async -> DiskFacts
  /// What a state directory tells.
  func state(_ directory: StateDirectory) async -> StateFacts
  /// What systemd tells.
  func units() async -> UnitFacts
  /// What a short scan brings.
  func listen() async -> ListenFacts
}
