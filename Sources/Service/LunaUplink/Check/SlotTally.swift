import Synchronization
import UplinkProtocol

/// What slots have carried so far: known also where what they were made for comes to nothing.
package final class SlotTally: Sendable {
  /// A side channel may have to be opened twice.
  private static let greetings = 2

  private let state = Mutex((bytes: 0, slots: 0))

  /// Nothing has gone yet.
  package init() {}

  /// How many bytes on the link that took.
  package var used: Int64 {
    state.withLock { SlotVolume.used($0.bytes, slots: $0.slots + SlotTally.greetings) }
  }

  /// So many slots begin.
  func begin(_ count: Int = 1) { state.withLock { $0.slots += count } }

  /// The link has carried so many bytes more of data.
  func add(_ bytes: Int) { state.withLock { $0.bytes += bytes } }
}
